import type { ContractArtifact } from '../../../src/model/contracts/artifact.js'
import { defineContract } from '../../../src/model/contracts/contract.js'
import { templateHash } from '../../../src/model/contracts/state-script.js'
import { toHex } from '../../../src/model/hex.js'
import { readTokenProgram, type TokenProgram, type TokenState } from '../../../src/model/tokens/token-program.js'
import { createTransaction, type TransactionOutput } from '../../../src/model/transaction.js'
import type { ScriptPublicKey, UtxoEntry } from '../../../src/model/utxo.js'
import { runInput } from '../../../src/script/run-input.js'
import { MAX_UNITS } from '../../../src/script/machine.js'
import { toSpendingContext } from '../../../src/script/spending.js'
import { token20 } from '../../fixtures/contracts/modules/token20.js'

/** A program of others, and transactions that its scripts accept or refuse. */

/** The record of KCC-20 in the redeem scripts of the builds that carry their own hash before it. */
const RECORD = { offset: 34, len: 112 }
const COVENANT_ID = '11'.repeat(32)
const KAS = 100_000_000n
const OTHER: ScriptPublicKey = { version: 0, script: `20${'22'.repeat(32)}ac` }

/** A token of a redeem script that a chain has shown: its own hash is a part of the program, the same in each state. */
export function tokenOf(script: Uint8Array, limits: { readonly maxInputs: number } = { maxInputs: 3 }): TokenProgram {
  const { offset, len } = RECORD
  const compiled = {
    bytecode: toHex(script),
    template_hash: templateHash({ prefix: script.slice(0, offset), suffix: script.slice(offset + len) }),
    state_span: RECORD,
  }
  const { Token20 } = token20.contracts
  const artifact: ContractArtifact = { ...token20, contracts: { Token20: { ...Token20, compiled } } }
  const contract = defineContract(artifact)
  return readTokenProgram(contract, token20, { ...limits, ownerSchemes: [0, 1, 2, 3, 4] })
}

/** An input of the token, with the witness that its entry gets. */
export interface Spent {
  readonly state: TokenState
  readonly witness: string
  /** Sompi. @default 1 KAS */
  readonly value?: bigint
}

export interface Family {
  /** The leader, then its delegates. */
  readonly inputs: readonly [Spent, ...Spent[]]
  readonly next: readonly TokenState[]
  /** Sompi of the first output. @default 1 KAS */
  readonly value?: bigint
  readonly covenantId?: string
  /** Inputs after those of the token. */
  readonly others?: readonly { readonly scriptPublicKey?: ScriptPublicKey; readonly covenantId?: string | undefined }[]
  /** Covenants of outputs after those of the token. */
  readonly created?: readonly string[]
}

/** Whether all inputs of the token are accepted. Signatures may be placeholders of their keys. */
export function isAccepted({ contract, transfer, delegate }: TokenProgram, family: Family): boolean {
  const { inputs, next, value = KAS, covenantId = COVENANT_ID, others = [], created = [] } = family
  const spent: UtxoEntry[] = [
    ...inputs.map((one) => entryOf(contract.scriptPublicKey(one.state as never), covenantId, one.value)),
    ...others.map((one) => entryOf(one.scriptPublicKey ?? OTHER, one.covenantId)),
  ].map((entry, index) => ({ ...entry, outpoint: { transactionId: '33'.repeat(32), index } }))
  const scripts = inputs.map(({ state, witness }, at) =>
    at === 0
      ? contract.signatureScript(state as never, transfer.entry, {
          [transfer.states]: next,
          [transfer.witness]: witness,
        } as never)
      : contract.signatureScript(state as never, delegate.entry, { [delegate.witness]: witness }),
  )
  const outputs: TransactionOutput[] = [
    ...next.map((state, at) => ({
      value: at === 0 ? value : KAS,
      scriptPublicKey: contract.scriptPublicKey(state as never),
      covenant: { authorizingInput: 0, covenantId },
    })),
    ...created.map((id) => ({
      value: KAS,
      scriptPublicKey: OTHER,
      covenant: { authorizingInput: 0, covenantId: id },
    })),
  ]
  const transaction = createTransaction({
    version: 1,
    inputs: spent.map(({ outpoint }, at) => ({
      previousOutpoint: outpoint,
      signatureScript: scripts[at] ?? '',
      sequence: 0n,
      sigOpCount: 0,
      computeBudget: 0,
    })),
    outputs,
  })
  const context = toSpendingContext(transaction, spent)
  const options = { limit: MAX_UNITS, signatures: 'placeholders' } as const
  return inputs.every((_, index) => runInput(context, index, options).failure === undefined)
}

const entryOf = (
  scriptPublicKey: ScriptPublicKey,
  covenantId: string | undefined,
  amount = KAS,
): Omit<UtxoEntry, 'outpoint'> => ({ amount, scriptPublicKey, blockDaaScore: 0n, isCoinbase: false, covenantId })
