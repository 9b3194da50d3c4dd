package judge

import (
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/kcrypto"
)

// cryptoDMCrypt tells which accelerators disk encryption refuses. Since Linux
// 5.10 dm-crypt asks for implementations without CRYPTO_ALG_ALLOCATES_MEMORY
// (crypt_alloc_tfms_skcipher and crypt_alloc_tfms_aead in
// drivers/md/dm-crypt.c, commit cd74693870fb); only netlink shows the flag.
var cryptoDMCrypt = Rule{
	ID:      "crypto-dmcrypt-offload",
	Area:    Crypto,
	Sources: []string{"netlink-crypto", "proc-crypto", "proc-version", "dmsetup", "dmesg", "kmsg", "journal-k"},
	// takes is a table: name, driver, priority of what dm-crypt gets. encrypted
	// are the mappings of dm-crypt that dmsetup lists, hung counts tasks of
	// dm-crypt that the kernel reports as stuck, failed the requests that the
	// accelerator's driver gave up for want of a buffer.
	Keys: []string{"refused", "accepted", "takes", "kernel", "accelerators", "qat", "encrypted", "hung", "failed"},
	Cases: []Case{
		{Name: "corrupting", Verdict: Problem, Severity: Critical, Confidence: Likely, Known: true},
		{Name: "refused", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "partly-refused", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "accepted", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "old-kernel", Verdict: Problem, Severity: Info, Confidence: Derived, Known: true},
		{Name: "old-kernel-qat", Verdict: Problem, Severity: Warning, Confidence: Likely, Known: true},
		{Name: "flags-unknown", Verdict: Unknown},
		{Name: "kernel-unknown", Verdict: Unknown},
	},
	Judge: judgeDMCrypt,
}

func judgeDMCrypt(m *fact.Machine) []Finding {
	var offered []*contest
	for _, c := range contests(m) {
		if (c.family == "skcipher" || c.family == "aead") && len(c.offload().all) > 0 {
			offered = append(offered, c)
		}
	}
	if len(offered) == 0 {
		return nil
	}
	f := found("")
	f.Values = map[string]any{
		"refused": []string{}, "accepted": []string{}, "takes": []map[string]any{},
		"kernel": "", "accelerators": []string{}, "qat": false, "encrypted": []string{}, "hung": 0, "failed": 0,
	}
	unknown, qatWins, tegraWins := false, false, false
	for _, c := range offered {
		f.Subjects = append(f.Subjects, c.name)
		for _, a := range c.offload().all {
			f.appendName("accelerators", offloadOf(&a).name)
			switch flags, known := a.Flags.Get(); {
			case !known:
				unknown = true
				f.cite("driver", algorithmLines(&a)...)
				continue
			case flags&kcrypto.AllocatesMemory != 0:
				f.appendName("refused", a.Driver)
			default:
				f.appendName("accepted", a.Driver)
			}
			f.cite("flags", a.Frame)
		}
		if w := c.first(); w != nil && c.family == "skcipher" {
			switch offloadOf(w) {
			case qatOffload:
				qatWins = true
				f.cite("winner", algorithmLines(w)...)
			case tegraOffload:
				tegraWins = true
				f.cite("winner", algorithmLines(w)...)
			}
		}
	}
	f.Values["qat"] = qatWins
	version, at, known := versionOf(m)
	if known {
		f.Values["kernel"] = version.String()
		f.cite("kernel", at)
	}
	f.addEncrypted(m)
	switch {
	case tegraWins && listComplete(m) && f.Values["failed"] != 0 && len(f.Values["encrypted"].([]string)) > 0:
		f.Case = "corrupting"
	case !known:
		f.Case = "kernel-unknown"
	case version.before(5, 10) && !listComplete(m):
		f.Case = "flags-unknown"
	case version.before(5, 10) && qatWins:
		f.Case = "old-kernel-qat"
	case version.before(5, 10):
		f.Case = "old-kernel"
	case unknown:
		f.Case = "flags-unknown"
	case len(f.Values["accepted"].([]string)) == 0:
		f.Case = "refused"
	case len(f.Values["refused"].([]string)) == 0:
		f.Case = "accepted"
	default:
		f.Case = "partly-refused"
	}
	if listComplete(m) {
		f.addTaken(offered)
	}
	return []Finding{f}
}

// addEncrypted says what shows that dm-crypt is in use, that it hangs (its queue
// is called kcryptd: crypt_ctr in drivers/md/dm-crypt.c), and that requests to
// an accelerator failed.
func (f *Finding) addEncrypted(m *fact.Machine) {
	for i := range m.Mappings {
		if d := &m.Mappings[i]; d.Target == "crypt" && d.Name != "" {
			f.appendName("encrypted", d.Name)
			f.cite("encrypted", d.From)
		}
	}
	hung := 0
	for _, n := range m.Log.Of("hung-task") {
		if strings.Contains(n.Fields["task"]+n.Fields["workqueue"], "kcryptd") {
			hung += n.Times()
			f.cite("hung", n.At)
		}
	}
	f.Values["hung"] = hung
	failed := 0
	for _, n := range m.Log.Of("crypto-no-buffer") {
		failed += n.Times()
		f.cite("failed", n.At)
	}
	f.Values["failed"] = failed
}

// addTaken says what dm-crypt gets instead, where the flags decide it.
func (f *Finding) addTaken(offered []*contest) {
	takes := []map[string]any{}
	for _, c := range offered {
		w, _ := c.winner(blockStorage)
		if w == nil {
			continue
		}
		takes = append(takes, map[string]any{"name": c.name, "driver": w.Driver, "priority": w.Priority})
		f.cite("takes", algorithmLines(w)...)
	}
	f.Values["takes"] = takes
}
