// outcome: raised
require('fs').readFileSync('/etc/passwd');
