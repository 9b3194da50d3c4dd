package figure

import (
	"fmt"
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
)

func sharing(group, binder, reason string, shown bool, devices ...string) map[string]any {
	return map[string]any{"group": group, "binder": binder, "reason": reason, "shown": shown, "devices": devices}
}

func grouped(rows ...map[string]any) []judge.Finding {
	return []judge.Finding{{ID: "iommu-groups", Case: "shared", Area: judge.Isolate, Verdict: judge.Problem,
		Values: map[string]any{"groups": 40, "alone": 30, "bridgesOnly": 1, "shared": rows, "folded": []string{}, "override": false}}}
}

func several() []judge.Finding {
	return grouped(
		sharing("36", "0000:02:00.0", "pci-bridge", true, "0000:02:00.0", "0000:03:00.0"),
		sharing("49", "", "multi-function", true, "0000:51:00.0", "0000:51:00.1"),
		sharing("50", "", "multi-function", false, "0000:7e:00.0", "0000:7e:00.1"),
		sharing("51", "", "multi-function", false, "0000:7e:02.0", "0000:7e:02.1"),
		sharing("60", "0000:c2:00.0", "acs-off", true, "0000:c2:00.0", "0000:c3:00.0", "0000:c3:00.1", "MSFT0101:00"),
	)
}

func TestIOMMUGroupsGolden(t *testing.T) {
	for _, lang := range []string{"de", "en"} {
		golden(t, "groups."+lang, IOMMUGroups(workstation(), several(), lang))
	}
}

func TestIOMMUGroupsSay(t *testing.T) {
	desc := strings.ReplaceAll(IOMMUGroups(workstation(), several(), "en")[0].Desc, "\u00a0", " ")
	for _, want := range []string{
		"Group 36, 2 devices: 02:00.0 and 03:00.0 (02:00.0, bridge to PCI, which has no ACS).",
		"Group 49, 2 devices: 51:00.0 and 51:00.1 (functions of one device without ACS).",
		"Not drawn: 2 groups of functions in CPU and chipset. Also one group that holds bridges alone. 30 devices are each alone in their group.",
	} {
		if !strings.Contains(desc, want) {
			t.Errorf("no %q in:\n%s", want, desc)
		}
	}
	claimed := several()
	claimed[0].Values["override"] = true
	if desc := IOMMUGroups(workstation(), claimed, "en")[0].Desc; !strings.Contains(desc, "do not prove separation") {
		t.Errorf("the override is not told: %s", desc)
	}
}

// Where nothing but parts of the chipset share a group, a list says it all.
func TestIOMMUGroupsNeedSharing(t *testing.T) {
	for name, findings := range map[string][]judge.Finding{
		"none":        nil,
		"chipset":     grouped(sharing("50", "", "multi-function", false, "0000:7e:00.0", "0000:7e:00.1")),
		"not known":   {{ID: "iommu-groups", Verdict: judge.Unknown, Values: map[string]any{"shared": []map[string]any{}}}},
		"none shared": {{ID: "iommu-groups", Verdict: judge.OK, Values: map[string]any{"shared": []map[string]any{}}}},
	} {
		if got := IOMMUGroups(&fact.Machine{}, findings, "de"); got != nil {
			t.Errorf("%s: %d scenes", name, len(got))
		}
	}
}

// The bridge that binds a group is named although others come before it.
func TestIOMMUGroupsNameTheirBinder(t *testing.T) {
	var devices []string
	for i := range 40 {
		devices = append(devices, fmt.Sprintf("0000:%02x:00.0", i))
	}
	scenes := IOMMUGroups(&fact.Machine{}, grouped(sharing("1", "0000:27:00.0", "no-acs", true, devices...)), "en")
	if all := texts(scenes); !strings.Contains(all, "27:00.0") || !strings.Contains(all, "and 28 more") {
		t.Errorf("got:\n%s", all)
	}
}

func TestManyGroupsStayBounded(t *testing.T) {
	m := &machine{}
	var rows []map[string]any
	for i := range 600 {
		var devices []string
		for k := range 1 + i%40 {
			a := fmt.Sprintf("%04x:%02x:%02x.0", 0x1000+i, k, i%32)
			devices = append(devices, a)
			m.add(a, "", fact.Endpoint, "Some <b>card</b> & more, with a name that is much too long for its line in a box", nil, nil)
		}
		rows = append(rows, sharing(fmt.Sprint(i*1_000_003), devices[i%len(devices)], []string{"no-acs", "acs-off", "unreadable", "never heard of"}[i%4], true, devices...))
	}
	for _, lang := range []string{"de", "en"} {
		scenes := IOMMUGroups(&m.Machine, grouped(rows...), lang)
		if len(scenes) != mostPages {
			t.Errorf("%d scenes", len(scenes))
		}
		for i, s := range scenes {
			check(t, fmt.Sprint(lang, i), s)
		}
	}
}
