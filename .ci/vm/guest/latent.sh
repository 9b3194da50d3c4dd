# The kernel was told to leave AER alone. Meanwhile the clock is set back.
. ./errors
latent_bit
before=$(date +%s)
collect_while_set_by "1 hour ago"
((before > $(date +%s)))
