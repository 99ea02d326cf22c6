export { toLine } from './case.js'
export { USED_OPCODES } from './compare.js'
export { compareWithEngine } from './engine.js'
export { compareWithKaspad } from './kaspad.js'
