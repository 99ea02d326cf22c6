/** The entry point `vue-chain/devnode/memory`: the simulated network without sockets. */
export { createMemoryDevnode } from './create-memory-devnode.js'
export type { MemoryDevnode, MemoryDevnodeOptions, MemoryEngineOptions } from './create-memory-devnode.js'
export { TEST_MNEMONIC, type DevnodeAccount } from '../accounts.js'
export type { DeployedContract, DevnodeContracts, DevnodeInstance, InstanceOutput } from '../contracts.js'
export type { RefusedScript } from '../ledger/ledger.js'
export { formatRefusal } from '../ledger/mempool/refusals.js'
export type { DevnodeBase, DevnodeEngineOptions } from '../devnode.js'
