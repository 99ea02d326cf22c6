const library = require('vue-chain/streams')

import('./service.js').then(({ run }) => run(library, process.argv.slice(2)))
