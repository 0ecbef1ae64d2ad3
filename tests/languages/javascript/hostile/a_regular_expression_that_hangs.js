// outcome: time limit
/^(a+)+$/.test('a'.repeat(40) + 'b');
