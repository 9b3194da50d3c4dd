package lspci

// Damages gives the names of all damages of one kind, and what they make of a
// made-up listing, to tests that open it as a capture.
func Damages() map[string]string {
	texts := map[string]string{"none": string(machine(1))}
	for _, stage := range stages {
		for _, d := range stage {
			texts[d.situation] = d.apply(texts["none"])
		}
	}
	return texts
}
