import type { CoreParts } from '../engine/core-parts.js'
import { accountSource } from '../engine/open-account.js'
import { refuseUnknown } from '../errors/chain-error.js'
import { accountValueOf } from '../model/cosigning/account-value.js'
import { readDescriptor } from '../model/cosigning/cosigners.js'
import { checkStart } from '../streams/accounts/accounts.js'
import {
  createCosigningAccount,
  type CosigningAccount,
  type CosigningAccountOptions,
} from '../streams/accounts/cosigning-account.js'
import type { Cosigning } from './create-cosigning.js'

/** Accounts of several signers over a core's node and indexer. */
export const createCosigningAccounts = (core: CoreParts): Pick<Cosigning, 'accountOf' | 'accountFromDescriptor'> => ({
  accountOf: async (options) => {
    refuseUnknown(options, ['threshold', 'keys', 'own', 'ecdsa', 'startIndex'])
    return openAccount(core, options)
  },
  accountFromDescriptor: async (descriptor, options = {}) => {
    refuseUnknown(options, ['own', 'startIndex'])
    return openAccount(core, { ...readDescriptor(descriptor), ...options })
  },
})

function openAccount(core: CoreParts, { startIndex, ...settings }: CosigningAccountOptions): Promise<CosigningAccount> {
  const source = accountSource(core)
  const value = accountValueOf(settings, source.network)
  return createCosigningAccount(value, source, checkStart({ startIndex }))
}
