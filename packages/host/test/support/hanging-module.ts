/** A module whose import never returns. */
for (;;);
