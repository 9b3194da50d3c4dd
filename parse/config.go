package parse

import (
	"cmp"
	"io"
	"path"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/kconfig"
)

// configMember is the configuration of the kernel that runs.
const configMember = "proc/config.gz"

// kernelConfig is one configuration and the file that it stands in.
type kernelConfig struct {
	name string
	*kconfig.Result
}

func configText(b *builder, r io.Reader, name string) parsed {
	res, err := kconfig.Parse(r, name)
	return parsed{amount: len(res.Options), unread: res.Unread, add: func() {
		b.configs = append(b.configs, kernelConfig{name, res})
		b.note(name, err, nil)
	}}
}

// kernelConfigs takes the configuration of the kernel that runs: /proc/config.gz,
// else the text named after the kernel's release, else the one whose heading has
// it. Machines keep one for each kernel that is installed.
func (b *builder) kernelConfigs() {
	release := b.m.Platform.Kernel.V
	rank := func(c kernelConfig) int {
		switch {
		case c.name == configMember:
			return 1
		case release == "":
			return 4
		case strings.HasSuffix(path.Base(c.name), "config-"+release) || path.Base(c.name) == "config-"+release+".gz":
			return 2
		case c.Release == release:
			return 3
		}
		return 5
	}
	if len(b.configs) == 0 {
		return
	}
	best := slices.MinFunc(b.configs, func(x, y kernelConfig) int {
		return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(x.name, y.name))
	})
	switch {
	case rank(best) == 5:
		b.problem(best.name, "the configuration of another kernel than %s, which runs", release)
	case rank(best) == 4 && len(b.configs) > 1:
		b.problem(best.name, "one of %d kernel configurations; which kernel runs is not known", len(b.configs))
	case len(best.Options) > 0:
		b.m.Crypto.Config = map[string]fact.Val[string](best.Options)
	}
}
