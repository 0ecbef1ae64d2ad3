// outcome: step limit
Atomics.wait?.(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
while (1) ;
