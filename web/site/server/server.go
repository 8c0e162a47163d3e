package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// contentTypes are fixed here because the tables of operating systems differ.
var contentTypes = map[string]string{
	".css":         "text/css; charset=utf-8",
	".csv":         "text/csv; charset=utf-8",
	".dot":         "text/vnd.graphviz; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".mjs":         "text/javascript; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".tr":          "text/plain; charset=utf-8",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".yaml":        "application/yaml",
}

// defaultCache is Netlify's header for paths without a rule.
const defaultCache = "public,max-age=0,must-revalidate"

// Site serves a built site over HTTP as Netlify would.
type Site struct {
	dist  string
	base  string // path of the site on its host: "/", or "/berth/"
	rules *rules
}

// Open opens the built site in dist, to be served with the rules of the file netlify.
// Files are opened at each request, so a new build is served at once.
func Open(netlify, dist string) (*Site, error) {
	if _, err := os.Stat(filepath.Join(dist, "index.html")); err != nil {
		return nil, fmt.Errorf("no site to serve: %w (make site builds it)", err)
	}
	r, err := readRules(netlify)
	if err != nil {
		return nil, err
	}
	base, err := baseOf(dist)
	if err != nil {
		return nil, err
	}
	return &Site{dist: dist, base: base, rules: r}, nil
}

// baseOf returns the path of a built site on its host: the scope of its manifest.
func baseOf(dist string) (string, error) {
	manifest, err := os.ReadFile(filepath.Join(dist, "manifest.webmanifest"))
	if errors.Is(err, fs.ErrNotExist) {
		return "/", nil
	}
	if err != nil {
		return "", err
	}
	site := struct{ Scope string }{Scope: "/"}
	if err := json.Unmarshal(manifest, &site); err != nil {
		return "", fmt.Errorf("manifest.webmanifest: %w (make site builds it)", err)
	}
	return site.Scope, nil
}

// Base returns the site's path on its host, with a slash at both ends.
func (s *Site) Base() string { return s.base }

// Serve serves requests from a listener, which it closes when ctx ends.
func (s *Site) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: s.atBase(), ReadHeaderTimeout: 10 * time.Second, DisableGeneralOptionsHandler: true}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(listener{l, s.always()}); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// atBase serves the site at its path and redirects the root of the host to it.
func (s *Site) atBase() http.Handler {
	if s.base == "/" {
		return s
	}
	mux := http.NewServeMux()
	mux.Handle(s.base, http.StripPrefix(strings.TrimSuffix(s.base, "/"), s))
	mux.Handle("/{$}", http.RedirectHandler(s.base, http.StatusFound))
	return mux
}

// ServeHTTP serves one request; its path is relative to the site's.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.rules.apply(w.Header(), "/"+strings.TrimPrefix(r.URL.Path, "/")) // the path of "OPTIONS *" is "*"
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "this site is read-only", http.StatusMethodNotAllowed)
		return
	}
	if w.Header().Get("Cache-Control") == "" {
		w.Header().Set("Cache-Control", defaultCache)
	}
	if name, ok := s.find(r.URL.Path); ok {
		s.serve(w, r, name, http.StatusOK)
		return
	}
	to, status, ok := s.rules.rewrite(r.URL.Path)
	name, found := s.find(to)
	if !ok || !found {
		http.NotFound(w, r)
		return
	}
	if status == http.StatusNotFound {
		w.Header().Set("Cache-Control", "no-cache") // the next build may have the file
	}
	s.serve(w, r, name, status)
}

// find returns the file for a path: the file itself, or its page ("/placement" and
// "/placement/" are placement/index.html, "/" is index.html).
func (s *Site) find(urlPath string) (name string, ok bool) {
	name = strings.TrimPrefix(path.Clean("/"+urlPath), "/")
	for _, candidate := range []string{name, name + ".html", path.Join(name, "index.html")} {
		info, err := os.Stat(filepath.Join(s.dist, filepath.FromSlash(candidate)))
		if err == nil && info.Mode().IsRegular() {
			return candidate, true
		}
	}
	return "", false
}

// serve sends a file of the site, compressed if the client accepts that.
func (s *Site) serve(w http.ResponseWriter, r *http.Request, name string, status int) {
	if kind, ok := contentTypes[path.Ext(name)]; ok {
		w.Header().Set("Content-Type", kind)
	}
	file, err := s.open(w, r, name)
	if err != nil {
		http.Error(w, "the file could not be read", http.StatusInternalServerError)
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		http.Error(w, "the file could not be read", http.StatusInternalServerError)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
	w.Header().Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	if status == http.StatusOK {
		http.ServeContent(w, r, name, info.ModTime(), file)
		return
	}
	w.WriteHeader(status)
	file.WriteTo(w)
}

// open opens the file or, for a client that accepts brotli, its compressed copy.
func (s *Site) open(w http.ResponseWriter, r *http.Request, name string) (*os.File, error) {
	file := filepath.Join(s.dist, filepath.FromSlash(name))
	twin, err := os.Open(file + ".br")
	if err != nil {
		return os.Open(file)
	}
	w.Header().Set("Vary", "Accept-Encoding")
	if !takesBrotli(r.Header.Get("Accept-Encoding")) {
		twin.Close()
		return os.Open(file)
	}
	w.Header().Set("Content-Encoding", "br")
	return twin, nil
}

func takesBrotli(acceptEncoding string) bool {
	for coding := range strings.SplitSeq(acceptEncoding, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if strings.TrimSpace(name) == "br" {
			return strings.ReplaceAll(weight, " ", "") != "q=0"
		}
	}
	return false
}
