// outcome: raised or step limit or time limit or memory limit or output limit or returned or crashed
Array.from({length: 1e12}, () => 1);
