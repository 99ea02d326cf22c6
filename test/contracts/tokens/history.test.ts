import { describe, expect, it } from 'vitest'
import { createTokens, type TokenBatch, type TokenBatches, type TokenTransfer } from '../../../src/contracts/index.js'
import { putRows, rollbackRows, type ContractRow, type ContractRows } from '../../../src/model/contracts/rows.js'
import { eachTest } from '../../lifetimes.js'
import { ALICE, BOB } from '../../contract-calls/transaction.js'
import { token20 } from '../../fixtures/contracts/modules/token20.js'
import { openTokens, type MintedToken } from './harness.js'

/** Transfers along the chain: each once, through reorgs and restarts. */

const harness = eachTest(() => openTokens({ count: 12 }))

/** What a consumer stores in one transaction. */
interface Stored {
  cursor: string | undefined
  rows: ContractRows
  transfers: readonly TokenTransfer[]
}

const empty = (): Stored => ({ cursor: undefined, rows: new Map<never, ContractRow>(), transfers: [] })

function store(stored: Stored, { cursor, rollback, rows, transfers }: TokenBatch): Stored {
  const isKept = ({ cause }: TokenTransfer): boolean => rollback === null || cause.blueScore <= rollback.blueScore
  const kept = rollback === null ? stored.rows : rollbackRows(stored.rows, rollback.blueScore)
  return { cursor, rows: putRows(kept, rows), transfers: [...stored.transfers.filter(isKept), ...transfers] }
}

/** A consumer that begins, or continues after a restart, until its transfers fit. */
async function consume(minted: MintedToken, stored: Stored, fits: (stored: Stored) => boolean): Promise<Stored> {
  const tokens = createTokens({ engine: harness.engine })
  tokens.add({ artifact: token20, genesis: minted.genesis })
  const { cursor, rows } = stored
  const start = cursor === undefined ? { from: minted.from } : { cursor, rows: [...rows.values()] }
  const batches: TokenBatches = tokens.history({ owners: BOB.address, ...start })
  let after = stored
  for await (const batch of batches) {
    after = store(after, batch)
    if (fits(after)) return after
  }
  return after
}

const amounts = ({ transfers }: Stored): readonly string[] =>
  transfers.map(({ direction, amount }) => `${direction} ${amount}`)

const shows = (count: number) => (stored: Stored) => stored.transfers.length === count

describe('the history of an owner', () => {
  it('has each transfer once over a restart after any batch, and none that a reorg has undone', async () => {
    const { devnode, tokens, mint, transfer } = harness
    const minted = await mint()
    const { token } = minted
    await transfer(tokens.transfer({ token, to: BOB.address, amount: 600n }))
    const first = await consume(minted, empty(), shows(1))
    expect(amounts(first)).toEqual(['in 600'])
    const other = await devnode.fork()
    await transfer(tokens.transfer({ token, to: ALICE.address, amount: 250n, from: BOB.address }))
    const second = await consume(minted, first, shows(3))
    expect(amounts(second)).toEqual(['in 600', 'out 600', 'in 350'])

    await other.mine(9)
    await devnode.sync(other)
    const third = await consume(minted, second, shows(1))
    expect(amounts(third)).toEqual(['in 600'])
    const whole = await consume(minted, empty(), shows(1))
    expect(whole.transfers).toEqual(third.transfers)
    await other.close()
  })

  it('names what was received and spent, with its block', async () => {
    const { tokens, mint, transfer } = harness
    const minted = await mint()
    const { token } = minted
    const id = await transfer(tokens.transfer({ token, to: BOB.address, amount: 600n }))
    const { transfers } = await consume(minted, empty(), shows(1))
    expect(transfers).toMatchObject([
      {
        direction: 'in',
        outpoint: { transactionId: id, index: 0 },
        covenantId: token,
        extensionCommitment: '00'.repeat(32),
        owner: BOB.address,
        amount: 600n,
        value: 100_000_000n,
        cause: { transactionId: id },
      },
    ])
  })

  it('needs a token that was added', () => {
    const { tokens } = harness
    const history = () => tokens.history({ owners: BOB.address, tokens: ['11'.repeat(32)] })
    expect(history).toThrow(expect.objectContaining({ argument: 'token' }))
  })
})
