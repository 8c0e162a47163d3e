package manifest

import (
	_ "embed"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/input/format"
)

// heed says how Berth treats a field of a workload or a pod.
type heed struct {
	mark byte   // '+', '-' or '!', see heeded
	says string // for '!': the reason, shown to the user
}

// heeded lists how Berth treats the fields of pods and of the workloads that create them. Berth
// honours a field marked +. A field marked - does not affect where a pod can run. A field marked !
// does, but Berth does not support it and tells the user. A row covers all fields below it. If one
// of these fields has a row, each of them must have one. Paths omit list indexes.
//
//go:embed heeded.txt
var heeded string

// heeds maps fields to the rows of heeded; deeper contains the fields that have rows
// below them.
var heeds, deeper = func() (map[string]heed, map[string]bool) {
	rows, above := map[string]heed{}, map[string]bool{}
	for line := range strings.Lines(heeded) {
		field, says, _ := strings.Cut(strings.TrimSpace(line[min(2, len(line)):]), " ")
		if field == "" {
			continue
		}
		rows[field] = heed{line[0], says}
		for i, r := range field {
			if r == '.' {
				above[field[:i]] = true
			}
		}
	}
	return rows, above
}()

// fieldOf returns the row for a field, given by its path in the spec of a workload of some kind, or
// of a "pod". It prefers a row for the field in that kind, then a row for the field in any kind,
// then the row of the enclosing field. more reports whether only fields below this one have rows.
func fieldOf(kind, path string) (h heed, more, known bool) {
	path = strings.ReplaceAll(path, "[]", "")
	if rest, of := strings.CutPrefix(path, "initContainers"); of {
		path = "containers" + rest
	}
	if kind == "CronJob" {
		if rest, of := strings.CutPrefix(path, "jobTemplate.spec."); of {
			kind, path = "Job", rest
		} else if path == "jobTemplate" || path == "jobTemplate.spec" {
			return h, true, true
		}
	}
	for p := path; ; {
		for _, name := range []string{kind + "." + p, p} {
			if kind == "pod" && name == p {
				continue
			}
			if row, found := heeds[name]; found {
				return row, false, true
			}
			if deeper[name] {
				return h, true, p == path
			}
		}
		at := strings.LastIndexByte(p, '.')
		if at < 0 {
			return h, false, false
		}
		p = p[:at]
	}
}

// own returns the path of the value in its own object, without the path of an
// enclosing List.
func (v *value) own() string {
	field := v.path()
	for strings.HasPrefix(field, "items[") {
		_, field, _ = strings.Cut(field, "]")
		field = strings.TrimPrefix(field, ".")
	}
	return field
}

// unhonoured adds an unsupported field to the list, and in strict mode also reports
// it as a diagnostic.
func (o *objects) unhonoured(to *[]format.Unhonoured, object string, v *value, says string) {
	*to = append(*to, format.Unhonoured{Object: object, Field: v.own(), Says: says, Line: int(v.node.line)})
	if o.source.strict {
		v.report(diag.Warning, notHonoured, v.key, says)
	}
}

// unknownField is the reason for fields without a row.
const unknownField = "Berth does not know this field, and cannot say whether it bears on where the pods may run"

// heed returns the unsupported fields of a workload.
func (o *objects) heed(w *workload) (all []format.Unhonoured) {
	object := w.kind + "/" + w.name.name
	var walk func(v *value, kind, path string)
	below := func(v *value, kind, path string) {
		v.fields(func(key string, field *value) {
			if field.there() {
				walk(field, kind, strings.TrimPrefix(path+"."+key, "."))
			}
		})
	}
	walk = func(v *value, kind, path string) {
		row, more, known := fieldOf(kind, path)
		switch {
		case kind != "pod" && (path == "template" || path == "jobTemplate.spec.template"):
			below(v.at("spec"), "pod", "")
		case !known:
			o.unhonoured(&all, object, v, unknownField)
		case more && v.node.kind == isList:
			for _, item := range v.items() {
				below(&item, kind, path)
			}
		case more:
			below(v, kind, path)
		case row.mark == '!' && !harmless(path, v):
			o.unhonoured(&all, object, v, row.says)
		}
	}
	kind := w.kind
	if kind == "Pod" {
		kind = "pod"
	}
	below(&w.spec, kind, "")
	return all
}

// harmless reports whether the value of an unsupported field has no effect, such as a
// default.
func harmless(path string, v *value) bool {
	switch path {
	case "schedulerName":
		return v.text() == "default-scheduler"
	case "managedBy":
		return v.text() == "kubernetes.io/job-controller"
	case "os":
		return v.up.at("nodeSelector").at("kubernetes.io/os").text() == v.at("name").text()
	case "nodeName":
		return v.up.up.at("status").there() // the pod has a status, so the scheduler set this field
	case "schedulingGates", "resourceClaims":
		return len(v.items()) == 0
	}
	return false
}

// bearing maps the kinds that affect where pods can run, but that Berth does not read, to the
// reasons shown to the user.
var bearing = map[string]string{
	"ResourceClaim": "claims of devices (DRA) are not looked at", "ResourceClaimTemplate": "claims of devices (DRA) are not looked at",
	"ResourceSlice": "devices (DRA) are not looked at", "DeviceClass": "devices (DRA) are not looked at",
	"VerticalPodAutoscaler": "it changes what pods request: their requests are taken as they are written",
	"ScaledObject":          "it changes how many pods there are: the replicas are taken as they are written",
	"CSIStorageCapacity":    "how much room there is for new volumes is not counted",
	"OverridePolicy":        "it changes manifests from cluster to cluster", "ClusterOverridePolicy": "it changes manifests from cluster to cluster",
	"ClusterQueue": "queues of Kueue admit pods before they are scheduled", "LocalQueue": "queues of Kueue admit pods before they are scheduled",
	"ResourceFlavor": "flavors of Kueue choose nodes", "Queue": "queues of Volcano admit pods before they are scheduled",
	"PodGroup": "pods of a group start together or not at all: here each is placed by itself", "ElasticQuota": "elastic quotas are not counted",
	"NodePool": "nodes that may be made for pods are unknown", "Provisioner": "nodes that may be made for pods are unknown",
	"MachineDeployment": "nodes that may be made for pods are unknown", "MachineSet": "nodes that may be made for pods are unknown",
	"PodTemplate": "pods that are made of it are unknown",
}

// bears returns the reason why an unread object may affect where pods can run, or ""
// if no effect is known.
func (v *value) bears(kind string) string {
	if why := bearing[kind]; why != "" {
		return why
	}
	if kind != "CustomResourceDefinition" && hasContainers(v.node, maxDeep) {
		return "Berth does not know this kind, and does not place its pods"
	}
	return ""
}

// maxDeep limits the depth of the search for containers.
const maxDeep = 12

// hasContainers reports whether an object contains a list of containers, and
// therefore probably creates pods.
func hasContainers(n *tree, deep int) bool {
	if n == nil || deep == 0 {
		return false
	}
	if n.kind == isList {
		return slices.ContainsFunc(n.content, func(c tree) bool { return hasContainers(&c, deep-1) })
	}
	for i := 0; n.kind == isMapping && i+1 < len(n.content); i += 2 {
		c := &n.content[i+1]
		if n.content[i].text == "containers" && c.kind == isList && len(c.content) > 0 && c.content[0].kind == isMapping && c.content[0].field("name") != nil {
			return true
		}
		if hasContainers(c, deep-1) {
			return true
		}
	}
	return false
}
