import type { JournalWallet } from './journal.js'

/** Nothing was read or written yet. */
export const NEW_WALLET: JournalWallet = { cursor: null, isOnHold: false, debits: [] }
