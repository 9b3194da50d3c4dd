package klog

import "strings"

// injections are the errors that somebody made on purpose and whose report has
// not come yet (drivers/pci/pcie/aer_inject.c, aer_inject).
type injections map[injection]pending

type injection struct {
	device      string
	correctable bool
}

type pending struct {
	count int
	time  *float64 // of the last one
}

// prompt is how soon a report follows its injection, in seconds.
const prompt = 10

var injectForm = newPattern("aer_inject: Injecting errors {correctable%}/{uncorrectable%} into device {device@}")

// injected notes an injection, kind aer-injected: Device is the function that is
// to report it. Fields: correctable, uncorrectable, the registers in hexadecimal;
// bits, the names of what is set in them.
func injected(p *parser, h *hit) bool {
	fields, ok := injectForm.match(h.text)
	if !ok {
		return false
	}
	device := withDomain(fields["device"])
	var bits []string
	for _, severity := range []string{corrected, fatal} {
		status := hex32(fields["uncorrectable"])
		if severity == corrected {
			status = hex32(fields["correctable"])
		}
		for i := range 32 {
			if status&(1<<i) != 0 {
				bits = append(bits, bitName(severity, i))
			}
		}
		if status != 0 {
			p.aer.inject.add(injection{device, severity == corrected}, h.seconds())
		}
	}
	n := h.note("aer-injected", "correctable", fields["correctable"], "uncorrectable", fields["uncorrectable"], "bits", strings.Join(bits, " "))
	n.Device = device
	p.add(h, n)
	return true
}

func (i *injections) add(of injection, time *float64) {
	if *i == nil {
		*i = injections{}
	}
	if len(*i) < maxOpen {
		(*i)[of] = pending{(*i)[of].count + 1, time}
	}
}

// take reports whether a report is that of an injection, which has its report
// then.
func (i injections) take(device, severity string, time *float64) bool {
	of := injection{device, severity == corrected}
	p := i[of]
	if p.count == 0 || p.time != nil && time != nil && (*time < *p.time || *time > *p.time+prompt) {
		return false
	}
	p.count--
	i[of] = p
	return true
}
