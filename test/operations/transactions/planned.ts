import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { PendingTx } from '../../../src/operations/transactions/records.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { followPlan } from './checked-plan.js'
import { alice, bob } from './accounts.js'
import type { RecordSettings } from './record-settings.js'
import { createScriptedDependencies } from './scripted-dependencies.js'

/** Planning needs no SDK. */
export const noSdk = (): never => {
  throw new ChainNotReadyError('test')
}

export const deps = createScriptedDependencies(noSdk)
export const { create, estimate } = createTransactions(deps)

export const pay = (
  amount: bigint,
  entries: readonly UtxoEntry[],
  overrides: Partial<RecordSettings> = {},
): RecordSettings => ({
  entries,
  outputs: [{ address: bob.address, amount }],
  changeAddress: alice.address,
  ...overrides,
})

/** Inputs, outputs and fee of a plan with one transaction, in sompi. */
export async function planSingle(
  settings: RecordSettings,
): Promise<{ inputs: bigint[]; outputs: bigint[]; fee: bigint }> {
  const created = await create(settings)
  const [seen, ...others] = followPlan(settings.entries, created)
  if (seen === undefined || others.length > 0) throw new Error('not one transaction')
  return {
    inputs: seen.spent.map((each) => each.amount),
    outputs: seen.transaction.outputs.map(({ value }) => value),
    fee: seen.fee,
  }
}

export const inputCount = (transaction: PendingTx | undefined): number => transaction?.serialize().inputs.length ?? 0
