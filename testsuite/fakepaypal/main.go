// Command fakepaypal runs the fake PayPal of package fake, for the demo and for trying things by hand.
//
//	go run ./testsuite/fakepaypal --state paypal.jsonl --lots lots.json
//	curl -d '{"operation":"capture_authorization","when":"after","drop":true}' http://127.0.0.1:8099/_fake/faults
//	curl http://127.0.0.1:8099/_fake/ledger
//
// Below /_fake/ it takes, as JSON: POST lots, holds, orders, faults, captures (somebody else takes money),
// captures/{id} (a pending one ends), forget (request ids), token/revoke; GET ledger, requests, faults; DELETE faults.
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
	"syscall"
	"time"

	"gavel/testsuite/fakepaypal/fake"
)

// shutdownTime is how long calls that are under way may take when the program is asked to stop.
const shutdownTime = 5 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakepaypal:", err)
		os.Exit(1)
	}
}

type settings struct {
	listen, lots string
	anyInterface bool
	options      fake.Options
}

func parse(args []string, getenv func(string) string) (settings, error) {
	var s settings
	var invoices string
	flags := flag.NewFlagSet("fakepaypal", flag.ContinueOnError)
	flags.StringVar(&s.listen, "listen", "127.0.0.1:8099", "`address` to listen on")
	flags.BoolVar(&s.anyInterface, "any-interface", false, "allow an address that is not loopback: everyone who reaches it can change the books")
	flags.StringVar(&s.options.StateFile, "state", "", "`file` that the state is kept in; none keeps it in memory only")
	flags.StringVar(&s.options.ClientID, "client-id", getenv("FAKEPAYPAL_CLIENT_ID"), "client `id` that gets a token (FAKEPAYPAL_CLIENT_ID; else demo)")
	flags.StringVar(&s.options.ClientSecret, "client-secret", "", "its `secret` (FAKEPAYPAL_CLIENT_SECRET; else demo)")
	flags.DurationVar(&s.options.TokenTTL, "token-ttl", 9*time.Hour, "life of an access token")
	flags.StringVar(&invoices, "duplicate-invoices", string(fake.InvoicesFree),
		"an invoice id that was captured before: allow, refuse (when money was taken) or refuse-any")
	flags.StringVar(&s.lots, "lots", "", "lot `file` whose holds and orders exist from the start")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if s.options.ClientSecret == "" { // not the flag's default, which -help would print
		s.options.ClientSecret = getenv("FAKEPAYPAL_CLIENT_SECRET")
	}
	s.options.Invoices = fake.InvoiceRule(invoices)
	switch s.options.Invoices {
	case fake.InvoicesFree, fake.InvoicesTaken, fake.InvoicesEver:
	default:
		return s, fmt.Errorf("--duplicate-invoices is %q; give allow, refuse or refuse-any", invoices)
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q; a lot file goes behind --lots", flags.Arg(0))
	}
	if !s.anyInterface && !isLoopback(s.listen) {
		return s, fmt.Errorf("--listen %s is not loopback; add --any-interface if others may reach this fake", s.listen)
	}
	return s, nil
}

func isLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}

func run(ctx context.Context, args []string, getenv func(string) string, out io.Writer) error {
	s, err := parse(args, getenv)
	if err != nil {
		return err
	}
	server, err := fake.New(s.options)
	if err != nil {
		return err
	}
	if err := serve(ctx, server, s, out); err != nil {
		return errors.Join(err, server.Close())
	}
	deadline, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	return server.Shutdown(deadline)
}

func serve(ctx context.Context, server *fake.Server, s settings, out io.Writer) error {
	if s.lots != "" {
		file, err := os.Open(s.lots)
		if err != nil {
			return err
		}
		holds, err := server.AddLots(file)
		if err := errors.Join(err, file.Close()); err != nil {
			return fmt.Errorf("%s: %w", s.lots, err)
		}
		fmt.Fprintf(out, "%d holds from %s\n", holds, s.lots)
	}
	if err := server.Listen(s.listen); err != nil {
		return err
	}
	fmt.Fprintln(out, "This is not PayPal: a fake that moves no money, for tests and demos.")
	fmt.Fprintln(out, "listening on", server.URL())
	<-ctx.Done()
	return nil
}
