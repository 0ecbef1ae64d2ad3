// outcome: step limit
for (;;) { try { for (;;) ; } catch {} finally { } }
