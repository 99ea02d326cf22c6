import type { CoreParts } from '../engine/core-parts.js'
import { invalidArgument } from '../errors/chain-error.js'
import { refuseUnknown } from '../errors/unknown-option.js'
import { accountValueOf, accountValueOfDescriptor, type AccountValue } from '../model/cosigning/account-value.js'
import type { Cosigning } from './create-cosigning.js'
import type { BranchOptions, CosigningAccount } from './records.js'

/** Accounts on the network of a core. */
export const createCosigningAccounts = (core: CoreParts): Cosigning => ({
  accountOf: async (options) => {
    refuseUnknown(options, ['threshold', 'keys', 'own', 'ecdsa'])
    return toAccount(accountValueOf(options, core.network()))
  },
  accountFromDescriptor: async (descriptor, options = {}) => {
    refuseUnknown(options, ['own'])
    return toAccount(accountValueOfDescriptor(descriptor, options.own, core.network()))
  },
})

function toAccount(value: AccountValue): CosigningAccount {
  const path: CosigningAccount['path'] = (index, options = {}) => ({ ...branchOf(value, options), index })
  return Object.freeze({
    ...value,
    path,
    address: (index, options) => value.addressAt(path(index, options)),
  } satisfies CosigningAccount)
}

/** The branch that the options name, by default the own one. */
function branchOf({ ownCosigner }: AccountValue, options: BranchOptions): { cosigner: number; change: boolean } {
  refuseUnknown(options, ['change', 'cosigner'])
  const { change = false, cosigner = ownCosigner } = options
  if (cosigner !== undefined) return { cosigner, change }
  throw invalidArgument(
    'cosigner',
    'The branch is not known: the account has no own key',
    'Create the account with own, or pass the position of the cosigner in account.keys.',
  )
}
