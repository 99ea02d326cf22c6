import { loadCode } from '../../loading/load-code.js'

/** What `detail: 'contracts'` adds to a transaction. */
export const loadContractDetails = () => loadCode(() => import('./contract-details.js'))
