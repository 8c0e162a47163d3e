package gallery

// Paper is a source.
type Paper struct {
	ID, Title string
	BibTeX    string // BibTeX entry, ending in a new line
}

// Citation is the BibTeX entry of Berth.
const Citation = `@software{berth2026,
  author = {{The Berth authors}},
  title  = {Berth: a laboratory for scheduling and placement in a browser tab},
  year   = {2026}
}
`

// Cite returns the BibTeX entries of the entry's paper and of Berth.
func (e *Entry) Cite() string {
	cite := ""
	for _, p := range Papers() {
		if p.ID == e.Paper && p.BibTeX != Citation {
			cite += p.BibTeX + "\n"
		}
	}
	return cite + Citation
}

// Papers returns the sources.
func Papers() []Paper {
	return []Paper{
		{"thesis", "M. Lavacca, Scheduling Jobs on Federation of Kubernetes Clusters, MSc thesis, Politecnico di Torino, 2020",
			`@mastersthesis{lavacca2020scheduling,
  author = {Lavacca, Mattia},
  title  = {Scheduling Jobs on Federation of {Kubernetes} Clusters},
  school = {Politecnico di Torino},
  year   = {2020}
}
`},
		{"qos", "G. Farias da Silva et al., QoS-driven scheduling in the cloud, Journal of Internet Services and Applications 11:9, 2020",
			`@article{dasilva2020qos,
  author  = {da Silva, Giovanni Farias and Brasileiro, Francisco and Lopes, Raquel and Morais, Fabio and Carvalho, Marcus and Turull, Daniel},
  title   = {{QoS}-driven scheduling in the cloud},
  journal = {Journal of Internet Services and Applications},
  volume  = {11},
  pages   = {9},
  year    = {2020},
  doi     = {10.1186/s13174-020-00129-0}
}
`},
		{"phd", "G. Farias da Silva, Escalonamento Orientado por Qualidade de Serviço em Infraestruturas de Computação na Nuvem, PhD thesis, UFCG, 2020",
			`@phdthesis{dasilva2020escalonamento,
  author = {da Silva, Giovanni Farias},
  title  = {Escalonamento Orientado por Qualidade de Servi{\c{c}}o em Infraestruturas de Computa{\c{c}}{\~a}o na Nuvem},
  school = {Universidade Federal de Campina Grande},
  year   = {2020}
}
`},
		{"megha", "M. Thiyyakat et al., Megha: Decentralized Global Fair Scheduling for Federated Clusters, arXiv:2103.08413, 2021",
			`@misc{thiyyakat2021megha,
  author        = {Thiyyakat, Meghana and Kalambur, Subramaniam and Sitaram, Dinkar},
  title         = {{Megha}: Decentralized Global Fair Scheduling for Federated Clusters},
  year          = {2021},
  eprint        = {2103.08413},
  archiveprefix = {arXiv}
}
`},
		{"fgd", "Q. Weng et al., Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent, USENIX ATC 2023",
			`@inproceedings{weng2023beware,
  author    = {Weng, Qizhen and Yang, Lingyun and Yu, Yinghao and Wang, Wei and Tang, Xiaochuan and Yang, Guodong and Zhang, Liping},
  title     = {Beware of Fragmentation: Scheduling {GPU}-Sharing Workloads with Fragmentation Gradient Descent},
  booktitle = {2023 USENIX Annual Technical Conference},
  year      = {2023}
}
`},
		{"firmament", "I. Gog et al., Firmament: Fast, Centralized Cluster Scheduling at Scale, OSDI 2016",
			`@inproceedings{gog2016firmament,
  author    = {Gog, Ionel and Schwarzkopf, Malte and Gleave, Adam and Watson, Robert N. M. and Hand, Steven},
  title     = {{Firmament}: Fast, Centralized Cluster Scheduling at Scale},
  booktitle = {12th USENIX Symposium on Operating Systems Design and Implementation},
  pages     = {99--115},
  year      = {2016}
}
`},
		{"hawk", "P. Delgado et al., Hawk: Hybrid Datacenter Scheduling, USENIX ATC 2015",
			`@inproceedings{delgado2015hawk,
  author    = {Delgado, Pamela and Dinu, Florin and Kermarrec, Anne-Marie and Zwaenepoel, Willy},
  title     = {Hawk: Hybrid Datacenter Scheduling},
  booktitle = {2015 USENIX Annual Technical Conference},
  year      = {2015}
}
`},
		{"eagle", "P. Delgado et al., Job-aware Scheduling in Eagle: Divide and Stick to Your Probes, SoCC 2016",
			`@inproceedings{delgado2016eagle,
  author    = {Delgado, Pamela and Didona, Diego and Dinu, Florin and Zwaenepoel, Willy},
  title     = {Job-aware Scheduling in {Eagle}: Divide and Stick to Your Probes},
  booktitle = {ACM Symposium on Cloud Computing},
  year      = {2016},
  doi       = {10.1145/2987550.2987563}
}
`},
		{"omega", "M. Schwarzkopf et al., Omega: flexible, scalable schedulers for large compute clusters, EuroSys 2013",
			`@inproceedings{schwarzkopf2013omega,
  author    = {Schwarzkopf, Malte and Konwinski, Andy and Abd-El-Malek, Michael and Wilkes, John},
  title     = {Omega: flexible, scalable schedulers for large compute clusters},
  booktitle = {European Conference on Computer Systems},
  pages     = {351--364},
  year      = {2013}
}
`},
		{"berth", "Berth, experiments of its own", Citation},
	}
}
