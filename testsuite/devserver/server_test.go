package devserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

var testState = temporal.NewSearchAttributeKeyKeyword("TestState")

// start starts a workflow that no worker will ever run.
func start(t *testing.T, c client.Client, id string) client.WorkflowRun {
	t.Helper()
	run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: id, TaskQueue: "nobody", TypedSearchAttributes: temporal.NewSearchAttributes(testState.ValueSet("WAITING")),
	}, "Nothing")
	require.NoError(t, err)
	return run
}

func running(t *testing.T, c client.Client, id string) error {
	t.Helper()
	found, err := c.DescribeWorkflow(t.Context(), id, "")
	if err == nil {
		assert.Equal(t, enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, found.Status)
	}
	return err
}

func TestSharedServer(t *testing.T) {
	s := Shared(t)
	assert.Same(t, s, Shared(t), "one server a package")
	c := s.NewClient(t, "")

	t.Run("is healthy", func(t *testing.T) {
		_, err := c.CheckHealth(t.Context(), &client.CheckHealthRequest{})
		require.NoError(t, err)
	})
	t.Run("knows the search attributes", func(t *testing.T) {
		listed, err := c.OperatorService().ListSearchAttributes(t.Context(),
			&operatorservice.ListSearchAttributesRequest{Namespace: s.Namespace()})
		require.NoError(t, err)
		for name, kind := range attributes {
			assert.Equal(t, kind, listed.CustomAttributes[name], name)
		}
	})
	t.Run("takes a workflow with them at once", func(t *testing.T) {
		start(t, c, "first")
	})
	t.Run("shows its Web UI", func(t *testing.T) {
		assert.Contains(t, get(t, s.UIURL()), "<html")
	})
	t.Run("shows its metrics", func(t *testing.T) {
		assert.Contains(t, get(t, s.MetricsURL()), "service_requests")
	})
}

func get(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	return string(body)
}

func TestNamespacesKeepTestsApart(t *testing.T) {
	s := Shared(t)
	one, two := s.NewNamespace(t), s.NewNamespace(t)
	require.NotEqual(t, one, two)
	mine, other := s.NewClient(t, one), s.NewClient(t, two)

	start(t, mine, "here")
	require.NoError(t, running(t, mine, "here"))
	var absent *serviceerror.NotFound
	require.ErrorAs(t, running(t, other, "here"), &absent)
}

func TestAKilledServerComesBackWithItsWorkflows(t *testing.T) {
	s := ForTest(t, Options{SearchAttributes: attributes})
	address := s.Address()
	c := s.NewClient(t, "")
	run := start(t, c, "before")
	exited := s.Exited()

	require.NoError(t, s.Kill())
	<-exited
	require.False(t, s.process.alive())
	require.NoError(t, s.Kill(), "a second kill is no error")

	require.NoError(t, s.Restart(t.Context()))
	assert.Equal(t, address, s.Address())
	require.NoError(t, running(t, c, "before"), "the same client finds it again")
	found, err := c.DescribeWorkflow(t.Context(), "before", "")
	require.NoError(t, err)
	assert.Equal(t, run.GetRunID(), found.WorkflowExecution.RunID)
	start(t, c, "after")
}

func TestRestartStopsARunningServerInOrder(t *testing.T) {
	s := ForTest(t, Options{SearchAttributes: attributes})
	c := s.NewClient(t, "")
	start(t, c, "before")
	exited := s.Exited()

	require.NoError(t, s.Restart(t.Context()))
	<-exited
	require.NoError(t, running(t, c, "before"))
}

func TestAttributesAreAddedToAnOlderDatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "old.db")
	older, err := Start(t.Context(), Options{DBFile: file})
	require.NoError(t, err)
	require.NoError(t, older.Stop())

	s := ForTest(t, Options{DBFile: file, SearchAttributes: attributes})
	start(t, s.NewClient(t, ""), "with-attributes")
}

func TestAnAttributeOfAnotherTypeIsAnErrorAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "other.db")
	older, err := Start(t.Context(), Options{DBFile: file, SearchAttributes: attributes})
	require.NoError(t, err)
	require.NoError(t, older.Stop())

	_, err = Start(t.Context(), Options{DBFile: file, SearchAttributes: map[string]enumspb.IndexedValueType{
		"TestState": enumspb.INDEXED_VALUE_TYPE_INT,
	}})
	var failed *StartError
	require.ErrorAs(t, err, &failed)
	assert.Contains(t, err.Error(), "TestState is registered as Keyword and must be Int")
}

func TestOptionsReachTheServer(t *testing.T) {
	var log bytes.Buffer
	s := ForTest(t, Options{
		Namespace: "mine", Log: &log, LogLevel: "info",
		DynamicConfig: map[string]any{"limit.maxIDLength": 20},
	})
	assert.Equal(t, "mine", s.Namespace())
	assert.Empty(t, s.UIURL(), "no Web UI unless asked for")
	c := s.NewClient(t, "")
	_, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: "an-id-of-more-than-twenty-characters", TaskQueue: "nobody",
	}, "Nothing")
	var tooLong *serviceerror.InvalidArgument
	require.ErrorAs(t, err, &tooLong)
	require.NoError(t, s.Stop())
	assert.NotEmpty(t, log.String())
}

func TestTheUsersConnectionSettingsAreKeptOut(t *testing.T) {
	t.Setenv("TEMPORAL_NAMESPACE", "elsewhere")
	t.Setenv("TEMPORAL_ADDRESS", "nowhere:1")
	for _, pair := range serverEnv() {
		assert.NotRegexp(t, "^TEMPORAL_", pair)
	}
}

func TestAServerThatDiesIsAnErrorWithItsLog(t *testing.T) {
	_, err := Start(t.Context(), Options{DBFile: filepath.Join(t.TempDir(), "no", "such", "dir.db")})
	var failed *StartError
	require.ErrorAs(t, err, &failed)
	assert.Contains(t, err.Error(), "exit status")
	assert.Contains(t, failed.Log, "no such file or directory")
}

func TestAChosenPortThatIsTakenIsAnError(t *testing.T) {
	listener, err := net.Listen("tcp", loopback+":0")
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()

	_, err = Start(t.Context(), Options{Port: listener.Addr().(*net.TCPAddr).Port})
	var failed *StartError
	require.ErrorAs(t, err, &failed)
	assert.Contains(t, err.Error(), "address already in use")
}

func TestStartEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("changed my mind"))
	cli, err := Find(t.Context(), nil)
	require.NoError(t, err)
	_, err = Start(ctx, Options{CLI: cli})
	require.ErrorContains(t, err, "changed my mind")
}

func TestWithoutADatabaseFileThereIsNoRestart(t *testing.T) {
	require.ErrorContains(t, Shared(t).Restart(t.Context()), "set DBFile")
}

func TestStoppedIsGone(t *testing.T) {
	s := ForTest(t, Options{})
	require.NoError(t, s.Stop())
	require.NoError(t, s.Stop(), "a second stop is no error")
	c := s.NewClient(t, "")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := c.WorkflowService().GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{})
	require.Error(t, err)
}
