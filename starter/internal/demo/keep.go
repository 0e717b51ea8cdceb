package demo

import "fmt"

// HowToGoOn are the commands with which another terminal uses the stage.
func (s *Stage) HowToGoOn() string {
	return fmt.Sprintf(`Everything is left running until Ctrl-C. In another terminal, in this directory:

  export TEMPORAL_ADDRESS=%[1]s
  go run ./starter status spring-2026

Your own lots: give their bidders holds at the fake PayPal, then settle them:

  curl --data-binary @FILE %[2]s/_fake/lots
  go run ./starter settle FILE
  curl %[2]s/_fake/ledger

A second worker beside the one in here:

  export GAVEL_PAYPAL_BASE_URL=%[2]s GAVEL_PAYPAL_CLIENT_ID=%[3]s GAVEL_PAYPAL_CLIENT_SECRET=%[4]s
  go run ./worker

Web UI: %[5]s`, s.Temporal.Address(), s.PayPal.URL(), clientID, clientSecret, s.Temporal.UIURL())
}
