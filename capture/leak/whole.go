package leak

import (
	"path"
	"strings"
)

// wholeValues are members of sysfs, by the last part of their name, that hold an
// identity and nothing else.
var wholeValues = map[string]string{
	"product_serial": "serial", "board_serial": "serial", "chassis_serial": "serial",
	"board_asset_tag": "asset-tag", "chassis_asset_tag": "asset-tag",
	"serial": "serial", "serial_number": "serial",
	"port_name": "wwn", "node_name": "wwn", "fabric_name": "wwn", "sas_address": "wwn",
	"node_guid": "wwn", "sys_image_guid": "wwn",
}

// wholeValue looks at a line of such a member. The serial number of a root hub
// is the name of its controller.
func wholeValue(member, line string, found hit) {
	class := wholeValues[path.Base(member)]
	if class == "" || !strings.HasPrefix(member, "sys/") && !strings.Contains(member, "/sys/") {
		return
	}
	value := strings.TrimRight(line, " \t\x00")
	isController := strings.Contains(value, "hcd") || strings.Count(value, ":") == 2 && strings.Contains(value, ".")
	if len(value) < 5 || isController || !strings.ContainsAny(value, "0123456789") || harmless(value) || class == "wwn" && len(hexOf(value)) < 12 {
		return
	}
	found(ByLabel, class, value)
}
