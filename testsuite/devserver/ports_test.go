package devserver

import (
	"sync"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReservedPortsAreDistinctAndOutOfReachOfOutgoingConnections(t *testing.T) {
	const many = 50
	got := make([]*port, many)
	var group sync.WaitGroup
	for i := range got {
		group.Go(func() {
			var err error
			got[i], err = reservePort(0)
			assert.NoError(t, err)
		})
	}
	group.Wait()
	seen := map[int]bool{}
	for _, each := range got {
		require.NotNil(t, each)
		defer each.release()
		assert.False(t, seen[each.number], "port %d twice", each.number)
		seen[each.number] = true
		assert.GreaterOrEqual(t, each.number, firstPort)
		assert.Less(t, each.number, lastPort)
	}
}

func TestAPortIsReservedUntilItIsReleased(t *testing.T) {
	mine, err := reservePort(0)
	require.NoError(t, err)
	rival := flock.New(mine.lock.Path())
	got, err := rival.TryLock()
	require.NoError(t, err)
	assert.False(t, got, "held")

	mine.release()
	got, err = rival.TryLock()
	require.NoError(t, err)
	assert.True(t, got, "given back")
	require.NoError(t, rival.Unlock())
}

func TestTheUsersPortIsTakenAsItIs(t *testing.T) {
	mine, err := reservePort(7233)
	require.NoError(t, err)
	defer mine.release()
	assert.Equal(t, "127.0.0.1:7233", mine.address())
}
