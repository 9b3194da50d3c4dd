package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
)

// TestVirtualMachineSilent: a newer kernel without IOMMU, and a daemon that
// records nothing, since too few errors come to wake it.
func TestVirtualMachineSilent(t *testing.T) {
	out := vmFolder(t, "silent")
	network := strings.TrimSpace(readFile(t, filepath.Join(out, "devices")))
	c := openVM(t, filepath.Join(out, "root.tar.gz"))

	if kernel, _ := c.machine.Platform.Kernel.Get(); !strings.HasPrefix(kernel, "6.12.") {
		t.Errorf("kernel %s, want 6.12", kernel)
	}
	c.expect(t, "iommu-state", "off", judge.Machine)
	c.expect(t, "ras-history", "running-empty", judge.Machine)
	c.expect(t, "evidence-conflict", "aer-unrecorded", network)
	f := c.expect(t, "aer-errors", "injected", network)
	for key, want := range map[string]any{"correctedCount": 3, "sysfsCount": 3, "logCount": 3, "databaseCount": 0, "databaseKnown": true} {
		if f.Values[key] != want {
			t.Errorf("%s is %v, want %v", key, f.Values[key], want)
		}
	}
	if n := c.counted(t, network, "corrected", "RxErr"); n != 3 {
		t.Errorf("%d receiver errors counted, want 3", n)
	}
	c.checkCrypto(t, out)
	c.checkEmptySlots(t)
	c.check(t)
}

// TestVirtualMachineLatent: an error bit of a port is set, and the kernel was
// told to handle no errors. The clock is set while it collects.
func TestVirtualMachineLatent(t *testing.T) {
	for name, parameter := range map[string]string{"latent": "pci=noaer", "compat": "pcie_ports=compat"} {
		t.Run(parameter, func(t *testing.T) {
			out := vmFolder(t, name)
			port := strings.TrimSpace(readFile(t, filepath.Join(out, "devices")))
			c := openVM(t, filepath.Join(out, "root.tar.gz"))

			d := c.machine.Device(port)
			if d == nil || d.Express == nil || !d.Express.DevSta.Has("CorrErr") || d.AER == nil || !d.AER.CESta.Has("RxErr") {
				t.Fatalf("the registers of %s do not have the error", port)
			}
			c.expect(t, "aer-latent-bits", "link", port)
			c.expect(t, "aer-active", "none", judge.Machine)
			c.expect(t, "aer-errors", "hidden", judge.Machine) // its silence means nothing
			c.expect(t, "osc-aer-denied", "never-asked", "PNP0A08:00")
			hides := c.expect(t, "parameters-that-hide", "hides", judge.Machine)
			if words, _ := hides.Values["words"].([]string); !slices.Contains(words, parameter) {
				t.Errorf("%s is not said to hide anything: %v", parameter, words)
			}
			start, end := parseTime(t, c.machine.Capture.Start), parseTime(t, c.machine.Capture.End)
			if took := end.Sub(start); took <= 0 || took > 10*time.Minute {
				t.Errorf("collecting took %v by the manifest, though only the clock was set by an hour", took)
			}
			c.check(t)
		})
	}
}

func parseTime(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestVirtualMachineARM: another architecture, a device tree in place of ACPI,
// and no program but busybox: all comes from the kernel's files.
func TestVirtualMachineARM(t *testing.T) {
	out := vmFolder(t, "arm64")
	c := openVM(t, filepath.Join(out, "root.tar.gz"))
	m := c.machine

	if model, _ := m.Platform.Model.Get(); model != "linux,dummy-virt" {
		t.Errorf("model %q, want that of the board virt", model)
	}
	if n := len(m.PCI); n != 9 {
		t.Errorf("%d PCI functions, want 9", n)
	}
	for _, class := range []string{"0108", "0200"} { // the drive, the network card
		if !slices.ContainsFunc(m.PCI, func(d fact.Device) bool { return d.Class == class && d.Express != nil }) {
			t.Errorf("no PCI Express function of class %s", class)
		}
	}
	c.expect(t, "osc-aer-denied", "no-acpi", judge.Machine)
	c.expect(t, "aer-errors", "none", judge.Machine)
	c.expect(t, "iommu-state", "translating", judge.Machine)
	for _, f := range c.findings { // this kernel has no driver for the network card
		if f.ID == "aer-reporting-off" && f.Severity.Rank() > judge.Info.Rank() {
			t.Errorf("%s finds %s on %v", f.ID, f.Case, f.Subjects)
		}
	}
	c.expect(t, "log-complete", "complete", judge.Machine)
	c.checkCrypto(t, out)
	c.checkEmptySlots(t)
	c.check(t)
}

// expect returns the finding of a rule on a subject, which has to be this case.
func (c vmCapture) expect(t *testing.T, id, name, subject string) judge.Finding {
	t.Helper()
	var cases []string
	for _, f := range c.findings {
		if f.ID != id {
			continue
		}
		if f.Case == name && slices.Equal(f.Subjects, []string{subject}) {
			return f
		}
		cases = append(cases, f.Case+" "+strings.Join(f.Subjects, " "))
	}
	t.Errorf("%s says %q, want %s of %s", id, cases, name, subject)
	return judge.Finding{}
}

// checkEmptySlots holds that two ports lead to a slot without a card, and that
// nothing is wrong with either.
func (c vmCapture) checkEmptySlots(t *testing.T) {
	t.Helper()
	var empty []string
	for _, d := range c.machine.PCI {
		if d.Express != nil && d.Express.SlotSta != nil && !d.Express.SlotSta.PresDet {
			empty = append(empty, d.Address)
		}
	}
	if len(empty) != 2 {
		t.Errorf("slots without a card: %v, want two", empty)
	}
	for _, f := range c.findings {
		if f.Severity.Rank() > judge.Info.Rank() && slices.ContainsFunc(f.Subjects, func(s string) bool { return slices.Contains(empty, s) }) {
			t.Errorf("%s finds %s on an empty slot", f.ID, f.Case)
		}
	}
}

// check holds what is true of every capture.
func (c vmCapture) check(t *testing.T) {
	c.checkProblems(t)
	for _, f := range c.findings {
		if f.Area == judge.Links && f.Severity.Rank() > judge.Info.Rank() {
			t.Errorf("%s finds %s on %v, though no link is real", f.ID, f.Case, f.Subjects)
		}
	}
	t.Run("evidence", c.checkEvidence)
	t.Run("report", c.checkReport)
}
