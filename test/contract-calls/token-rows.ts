import { toScriptPublicKey } from '../../src/model/address.js'
import { covenantIdOfGenesis } from '../../src/model/covenant-id.js'
import { defineContract } from '../../src/model/contracts/contract.js'
import type { SignatureOf } from '../../src/model/contracts/value-codec.js'
import type { Transaction, TransactionOutput } from '../../src/model/transaction.js'
import type { Outpoint, UtxoEntry } from '../../src/model/utxo.js'
import type { ContractSpend } from '../../src/operations/contracts/contract-spend.js'
import { utxoCreatedBy } from '../devnode/ledger/wallet.js'
import { token20 } from '../fixtures/contracts/modules/token20.js'
import { bound, output } from './covenants.js'
import { Counter, counterOf, increment } from './counter-rows.js'
import { begin, deploy, FAILED, submit, submitAll, type CallHarness, type CallRow } from './harness.js'
import { ALICE, BOB, build, CAROL, keyInput, type Party, type PlannedInput } from './transaction.js'

/** Tokens: several inputs and outputs of one covenant, a leader and its delegates. */

export const Token = defineContract(token20)
const KAS = 100_000_000n

type State = typeof Token.initialState

/** The state of so many tokens of a key. */
export const owned = (amount: bigint, owner: Party = ALICE): State => ({
  ...Token.initialState,
  amount,
  owner: owner.publicKey,
  owner_scheme: 0,
})

const outputsOf = (covenantId: string, states: readonly State[]): readonly TransactionOutput[] =>
  states.map((state) => bound(covenantId, Token.scriptPublicKey(state)))

/** The input that moves tokens, and names all that follow. */
export const lead = (utxo: UtxoEntry, state: State, next: readonly State[], signer = ALICE): ContractSpend => ({
  utxo,
  entry: 'transfer',
  script: (sign) =>
    Token.signatureScript(
      state,
      'transfer',
      { next_states: next, witness: ['00', { signedBy: signer.address }] },
      sign,
    ),
})

const delegate = (utxo: UtxoEntry, state: State, signer: Party): PlannedInput => ({
  utxo,
  script: (sign: SignatureOf) =>
    Token.signatureScript(state, 'transfer_delegator', { witness: [{ signedBy: signer.address }] }, sign),
})

const budgetsOf = ({ inputs }: Transaction): string => inputs.map(({ computeBudget }) => computeBudget).join()

interface Transfer {
  readonly next: readonly State[]
  /** @default ALICE */
  readonly signer?: Party
  /** @default next */
  readonly made?: readonly State[]
}

const REFUSED: readonly (readonly [string, Transfer])[] = [
  ['by another key', { next: [owned(1_000n, BOB)], signer: BOB }],
  ['of more than there is', { next: [owned(600n, BOB), owned(401n)] }],
  ['of a negative amount', { next: [owned(1_001n, BOB), owned(-1n)] }],
  ['to outputs other than claimed', { next: [owned(600n), owned(400n)], made: [owned(500n), owned(500n)] }],
  ['to an owner of an unknown scheme', { next: [{ ...owned(1_000n, BOB), owner_scheme: 7 }] }],
  ['to four outputs', { next: [1n, 2n, 3n, 994n].map((amount) => owned(amount)) }],
  ['to none', { next: [] }],
]

const refusals: CallRow = {
  situation: `token transfers ${REFUSED.map(([what]) => what).join(', ')}`,
  replies: REFUSED.map(() => FAILED),
  play: async (harness) => {
    const { covenantId, utxo } = await deploy(harness, Token, owned(1_000n))
    const fundedBy = await harness.utxo()
    return submitAll(
      harness,
      REFUSED.map(([, { next, signer = ALICE, made = next }]) =>
        build({
          inputs: [lead(utxo, owned(1_000n), next, signer)],
          outputs: outputsOf(covenantId, made),
          fundedBy,
        }),
      ),
    )
  },
}

/** A token of 1,000 that is divided between Alice and Bob. */
async function divided(harness: CallHarness) {
  const { covenantId, utxo } = await deploy(harness, Token, owned(1_000n))
  const states = [owned(400n), owned(600n, BOB)]
  const transfer = build({
    inputs: [lead(utxo, owned(1_000n), states)],
    outputs: outputsOf(covenantId, states),
    fundedBy: await harness.utxo(),
  })
  return { covenantId, transfer, utxos: [utxoCreatedBy(transfer, 0), utxoCreatedBy(transfer, 1)] as const }
}

const transfers: CallRow = {
  situation: 'a token that is divided, merged with a delegate signed by another key, and merged',
  replies: ['taken', FAILED, 'taken', 'budgets 13,10', 'budgets 12,10,10'],
  play: async (harness) => {
    const { covenantId, transfer, utxos } = await divided(harness)
    const whole = [owned(1_000n, BOB)]
    const fundedBy = await harness.utxo()
    const merge = (signer: Party): Transaction =>
      build({
        inputs: [lead(utxos[0], owned(400n), whole), delegate(utxos[1], owned(600n, BOB), signer)],
        outputs: outputsOf(covenantId, whole),
        fundedBy,
      })
    const replies = await submitAll(harness, [transfer, merge(CAROL), merge(BOB)])
    return [...replies, `budgets ${budgetsOf(transfer)}`, `budgets ${budgetsOf(merge(BOB))}`]
  },
}

const together: CallRow = {
  situation: 'a token and a counter in one transaction',
  replies: ['taken', 'budgets 13,0,10'],
  play: async (harness) => {
    const token = await deploy(harness, Token, owned(1_000n))
    const counter = await deploy(harness, Counter, { count: 7n })
    const states = [owned(400n), owned(600n, BOB)]
    const transaction = build({
      inputs: [lead(token.utxo, owned(1_000n), states), increment(counter.utxo, 7n, 2n)],
      outputs: [
        ...outputsOf(token.covenantId, states),
        bound(counter.covenantId, counterOf(9n), { authorizingInput: 1 }),
      ],
      fundedBy: await harness.utxo(),
    })
    return [await submit(harness, transaction), `budgets ${budgetsOf(transaction)}`]
  },
}

const counterfeits: CallRow = {
  situation: 'a counterfeit of the same program and state beside the real token',
  replies: ['one address', FAILED],
  play: async (harness) => {
    const real = await deploy(harness, Token, owned(1_000n))
    const counterfeit = await deploy(harness, Token, owned(1_000n))
    const isOne = real.utxo.scriptPublicKey.script === counterfeit.utxo.scriptPublicKey.script
    const whole = [owned(2_000n)]
    const mixed = build({
      inputs: [lead(real.utxo, owned(1_000n), whole), delegate(counterfeit.utxo, owned(1_000n), ALICE)],
      outputs: outputsOf(real.covenantId, whole),
      fundedBy: await harness.utxo(),
    })
    return [isOne ? 'one address' : 'two addresses', await submit(harness, mixed)]
  },
}

const hiddenMint: CallRow = {
  situation: 'a mint that a beginning hides: a key that makes tokens of the same id and program',
  replies: ['the record of an honest mint: its id', 'the record of the other: another id', 'taken', 'taken'],
  play: async (harness) => {
    const state = owned(1_000n)
    const idBy = (outpoint: Outpoint): string =>
      covenantIdOfGenesis(Token, { outpoint, outputs: [{ index: 0, value: KAS, state }] })
    const honest = await deploy(harness, Token, state)
    const key = output(toScriptPublicKey(CAROL.address))
    const { covenantId, outpoint, utxos } = await begin(harness, [output(Token.scriptPublicKey(state)), key])
    const made = owned(1_000_000n, CAROL)
    const mint = build({
      inputs: [keyInput(utxos[1]!, CAROL)],
      outputs: [...outputsOf(covenantId, [made]), bound(covenantId, key.scriptPublicKey)],
      fundedBy: await harness.utxo(),
    })
    const whole = [owned(1_001_000n, CAROL)]
    const mixed = build({
      inputs: [lead(utxos[0]!, state, whole), delegate(utxoCreatedBy(mint), made, CAROL)],
      outputs: outputsOf(covenantId, whole),
      fundedBy: await harness.utxo(),
    })
    return [
      `the record of an honest mint: ${idBy(honest.outpoint) === honest.covenantId ? 'its' : 'another'} id`,
      `the record of the other: ${idBy(outpoint) === covenantId ? 'its' : 'another'} id`,
      ...(await submitAll(harness, [mint, mixed])),
    ]
  },
}

export const TOKEN_ROWS: readonly CallRow[] = [refusals, transfers, together, counterfeits, hiddenMint]
