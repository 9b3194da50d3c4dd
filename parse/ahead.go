package parse

import "io"

// ahead reads a stream before it is asked for, in a goroutine of its own, so
// that unpacking a large log and parsing it take as long as the slower of the
// two and not as long as both.
type ahead struct {
	pieces chan piece
	done   chan struct{}
	piece  piece // being read
}

// piece is what one read gave.
type piece struct {
	data   []byte
	packed int64 // bytes of the packed stream that were used by then
	err    error // that came with data
}

// readAhead starts to read z until it ends or stop is called; packed tells how
// much z has used of what it unpacks. At the end it calls end, if there is one.
func readAhead(z io.Reader, packed func() int64, end func()) *ahead {
	a := &ahead{pieces: make(chan piece), done: make(chan struct{})}
	go func() {
		if end != nil {
			defer end()
		}
		// While one buffer is read the other is filled; whoever asks for the
		// next piece has done with the one before.
		var buffers [2][headBytes]byte
		for i := 0; ; i ^= 1 {
			n, err := z.Read(buffers[i][:])
			select {
			case a.pieces <- piece{buffers[i][:n], packed(), err}:
			case <-a.done:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return a
}

func (a *ahead) Read(p []byte) (int, error) {
	for len(a.piece.data) == 0 {
		if a.piece.err != nil {
			return 0, a.piece.err
		}
		a.piece = <-a.pieces
	}
	n := copy(p, a.piece.data)
	a.piece.data = a.piece.data[n:]
	return n, nil
}

// stop ends reading, without waiting for a read that is under way.
func (a *ahead) stop() { close(a.done) }
