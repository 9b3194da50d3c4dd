package fact

// Samples are the links over time, sampled after all other sources
// (samples/links.jsonl).
type Samples struct {
	// Command is the load that ran meanwhile, nil for none. How it ended is in
	// the source "links": Exit, Why.
	Command  []string      `json:"command"`
	Duration float64       `json:"duration"` // seconds from the first sample to the last
	Ports    []PortSamples `json:"ports"`    // by address
	At       Line          `json:"from,omitzero"`
}

// PortSamples is what one function said of its link over time. Of several
// samples that are equally fast or wide the first one stands.
type PortSamples struct {
	Address   string   `json:"address"`
	First     Sample   `json:"first"`
	Last      Sample   `json:"last"`
	Fastest   Sample   `json:"fastest"`
	Slowest   Sample   `json:"slowest"` // of those with a speed
	Widest    Sample   `json:"widest"`
	Narrowest Sample   `json:"narrowest"`
	Changes   int      `json:"changes"`          // of speed or width from one sample to the next
	Points    []Sample `json:"points,omitempty"` // where it began and each change, as far as they are kept
}

// Sample is the state of a link at one time.
type Sample struct {
	T     float64 `json:"t"`               // seconds since the first sample
	Speed float64 `json:"speed,omitempty"` // GT/s; 0: the kernel did not know it
	Width int     `json:"width"`           // lanes; 0: the link is not up
	At    Line    `json:"from,omitzero"`
}

// Port returns the samples of the function at address, or nil.
func (s *Samples) Port(address string) *PortSamples {
	for i := range s.Ports {
		if s.Ports[i].Address == address {
			return &s.Ports[i]
		}
	}
	return nil
}
