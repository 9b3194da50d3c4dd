package figure

import (
	"fmt"
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/parse/kcrypto"
)

func algorithm(name, driver, kind string, priority int, flags uint32) fact.Algorithm {
	const tested = 0x400
	return fact.Algorithm{Name: name, Driver: driver, Type: kind, Priority: priority, SelfTest: "passed", Flags: fact.Of(flags|tested, fact.Line{})}
}

// contested is a machine whose processor wins one algorithm, whose accelerator
// wins another one, and what the report says of it.
func contested() (*fact.Machine, []judge.Finding) {
	m := &fact.Machine{}
	m.Crypto.Algorithms = []fact.Algorithm{
		algorithm("xts(aes)", "qat_aes_xts", "skcipher", 100, kcrypto.AllocatesMemory),
		algorithm("xts(aes)", "xts-aes-aesni", "skcipher", 401, 0),
		algorithm("xts(aes)", "xts-aes-vaes", "skcipher", 600, 0),
		algorithm("rsa", "qat-rsa", "akcipher", 1000, 0),
		algorithm("rsa", "rsa-generic", "akcipher", 100, 0),
		algorithm("pkcs1(rsa,sha512)", "pkcs1(qat-rsa,sha512)", "sig", 1000, 0),
		algorithm("authenc(hmac(sha1),cbc(aes))", "qat_aes_cbc_hmac_sha1", "aead", 100, kcrypto.AllocatesMemory),
		algorithm("sha1", "sha1-generic", "shash", 100, 0),
	}
	row := func(name, kind, winner string, offload bool, rival string) map[string]any {
		return map[string]any{"name": name, "type": kind, "winner": winner, "winnerOffload": offload, "rival": rival}
	}
	built := row("authenc(hmac(sha1),cbc(aes))", "aead", "qat_aes_cbc_hmac_sha1", true, "")
	built["builtPriorityMin"] = 4000
	found := func(id, kase string, subjects []string, rows ...map[string]any) judge.Finding {
		return judge.Finding{ID: id, Case: kase, Area: judge.Crypto, Verdict: judge.Problem, Subjects: subjects, Values: map[string]any{"rows": rows}}
	}
	return m, []judge.Finding{
		found("crypto-selection", "cpu-wins", nil, row("xts(aes)", "skcipher", "xts-aes-vaes", false, "qat_aes_xts")),
		found("crypto-selection", "offload-wins", nil, row("rsa", "akcipher", "qat-rsa", true, "rsa-generic")),
		found("crypto-selection", "offload-only-entry", nil, built),
		found("crypto-registered-not-used", "", []string{"pkcs1(rsa,sha512)", "rsa"}),
	}
}

func TestCryptoSelectionGolden(t *testing.T) {
	m, findings := contested()
	for _, lang := range []string{"de", "en"} {
		golden(t, "crypto."+lang, CryptoSelection(m, findings, lang))
	}
}

func TestCryptoSelectionSays(t *testing.T) {
	m, findings := contested()
	desc := CryptoSelection(m, findings, "en")[0].Desc
	for _, want := range []string{
		"xts(aes): xts-aes-vaes 600 (✓ wins), xts-aes-aesni 401, qat_aes_xts 100 (✗ block storage)",
		"rsa: qat-rsa 1000 (✓ wins), rsa-generic 100",
		"built on demand at least 4000, qat_aes_cbc_hmac_sha1 100 (✓ wins until then, ✗ block storage), block storage: none of these",
		"pkcs1(rsa,sha512): pkcs1(qat-rsa,sha512) 1000",
	} {
		if !strings.Contains(desc, want) {
			t.Errorf("no %q in:\n%s", want, desc)
		}
	}
	if strings.Contains(desc, "sha1-generic") || strings.Count(desc, "qat-rsa 1000") != 1 {
		t.Errorf("too much in:\n%s", desc)
	}
}

// Where the list is not whole, another implementation may be the winner.
func TestCryptoSelectionNeedsWholeList(t *testing.T) {
	m, findings := contested()
	findings = append(findings, judge.Finding{ID: "crypto-selection", Case: "list-incomplete", Verdict: judge.Unknown})
	if got := CryptoSelection(m, findings, "de"); got != nil {
		t.Errorf("%d scenes", len(got))
	}
	if got := CryptoSelection(m, nil, "de"); got != nil {
		t.Errorf("%d scenes without a finding", len(got))
	}
}

// Without the netlink dump the flags are not known: nobody is said to be refused.
func TestCryptoSelectionWithoutFlags(t *testing.T) {
	m, findings := contested()
	for i := range m.Crypto.Algorithms {
		m.Crypto.Algorithms[i].Flags = fact.Val[uint32]{}
	}
	if desc := CryptoSelection(m, findings, "en")[0].Desc; strings.Contains(desc, "✗") {
		t.Errorf("someone is refused in:\n%s", desc)
	}
}

func TestManyAlgorithmsStayBounded(t *testing.T) {
	m, findings := contested()
	var rows []map[string]any
	for i := range 2000 {
		name := fmt.Sprintf("authenc(hmac(sha%d),rfc3686(ctr(<aes>)))", i)
		for k := range 12 {
			m.Crypto.Algorithms = append(m.Crypto.Algorithms, algorithm(name, fmt.Sprintf("a-driver-with-quite-a-long-name-%d-%d", i, k), "aead", k*1000, kcrypto.AllocatesMemory))
		}
		if i < 200 {
			rows = append(rows, map[string]any{"name": name, "type": "aead", "winner": "x", "winnerOffload": false, "rival": fmt.Sprintf("a-driver-with-quite-a-long-name-%d-0", i)})
		}
	}
	findings[0].Values["rows"] = rows
	scenes := CryptoSelection(m, findings, "de")
	if len(scenes) != mostPages {
		t.Errorf("%d scenes", len(scenes))
	}
	for i, s := range scenes {
		check(t, fmt.Sprint(i), s)
	}
}
