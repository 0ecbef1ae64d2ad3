// outcome: output limit
for (;;) console.log('x'.repeat(100000));
