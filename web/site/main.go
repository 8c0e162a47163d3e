package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"berth/web/site/build"
	"berth/web/site/server"
)

const usage = "site build, site serve or site module, with -h for the flags of each"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := site(ctx, os.Args[1:], os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func site(ctx context.Context, args []string, log io.Writer) error {
	if len(args) == 0 {
		return errors.New("no command; use " + usage)
	}
	switch args[0] {
	case "build":
		return runBuild(ctx, args[1:], log)
	case "serve":
		return runServe(ctx, args[1:], log)
	case "module":
		return runModule(ctx, args[1:])
	}
	return fmt.Errorf("no command is called %q; use %s", args[0], usage)
}

func runBuild(ctx context.Context, args []string, log io.Writer) error {
	flags := flag.NewFlagSet("site build", flag.ContinueOnError)
	var o build.Options
	flags.StringVar(&o.Root, "root", ".", "root of the repository")
	flags.StringVar(&o.Out, "out", "dist", "directory to write; what it held is replaced")
	flags.IntVar(&o.Quality, "quality", 11, "brotli quality, 0 (fast) to 11 (small)")
	flags.StringVar(&o.Origin, "origin", os.Getenv("URL"), "origin that link previews name, such as https://example.org")
	flags.StringVar(&o.Base, "base", "/", "path of the site on its host, such as /berth/")
	if err := flags.Parse(args); err != nil {
		return err
	}
	report, err := build.Site(ctx, o)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(log, report)
	return err
}

func runServe(ctx context.Context, args []string, log io.Writer) error {
	flags := flag.NewFlagSet("site serve", flag.ContinueOnError)
	root := flags.String("root", ".", "directory that holds netlify.toml")
	dist := flags.String("dist", "dist", "directory to serve")
	addr := flags.String("addr", "localhost:8080", "address to listen on")
	if err := flags.Parse(args); err != nil {
		return err
	}
	built, err := server.Open(filepath.Join(*root, "netlify.toml"), *dist)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(log, "Berth is at http://%s%s\n", listener.Addr(), strings.TrimSuffix(built.Base(), "/"))
	return built.Serve(ctx, listener)
}

func runModule(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("site module", flag.ContinueOnError)
	root := flags.String("root", ".", "root of the repository")
	out := flags.String("out", "berth-module.zip", "zip file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return build.Module(ctx, *root, *out)
}
