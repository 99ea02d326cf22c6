import { describe, expect, it } from 'vitest'
import type { LocatedBatch } from '../../../src/streams/chain/batch.js'
import { locatorAt } from '../../../src/model/chain-cursor/locator.js'
import type { ChainHeader } from '../../../src/streams/chain/header.js'
import { Openings } from '../../../src/streams/transfers/openings.js'
import { reopen, type ReopenContext } from '../../../src/streams/transfers/reopen.js'

const headerAt = (blueScore: bigint): ChainHeader => ({
  hash: `block ${blueScore}`,
  blueScore,
  daaScore: blueScore,
  blueWork: '',
  timestamp: 0,
})
const rollbackTo = (blueScore: bigint, hash = 'tip'): LocatedBatch => ({
  locator: locatorAt({ hash, blueScore: blueScore + 1n, blueWork: '' }),
  rollback: headerAt(blueScore),
  blocks: [],
  isLive: true,
})

/** A stored position with addresses since block 10, one added at 60, and unknown ones added before 50. */
function resumed(context: Partial<ReopenContext> = {}) {
  const openings = new Openings()
  const oldest = { hash: 'block 10', blueScore: 10n }
  const locator = { tip: { hash: 'block 90', blueScore: 90n, blueWork: '' }, below: [oldest] }
  const starts = [{ tail: 'added', blueScore: 60n }]
  openings.resume({ locator, starts: { completeFrom: 50n, starts } }, ['old', 'forgotten', 'added'])
  const opened: (readonly [bigint, readonly string[]])[] = []
  const reopened = (batch: LocatedBatch) =>
    reopen(batch, {
      openings,
      findOpenings: undefined,
      isCounting: () => true,
      counting: () => ['old', 'forgotten', 'added'],
      open: async (start, addresses) => {
        opened.push([start.blueScore, addresses])
        return { start, transactions: [] }
      },
      readHeader: async () => headerAt(batch.rollback?.blueScore ?? 0n),
      nextBatch: async () => undefined,
      toCursor: ({ tip }) => `cursor of ${tip.hash}`,
      position: locator.tip,
      ...context,
    })
  return { openings, opened, reopened }
}

describe('a rollback after a restart', () => {
  it('opens nothing where all addresses count since before it', async () => {
    const { opened, reopened } = resumed()
    expect(await reopened(rollbackTo(60n))).toEqual({ batch: rollbackTo(60n), transactions: [] })
    expect(opened).toEqual([])
  })

  it('opens the addresses that the cursor names, once', async () => {
    const { opened, reopened } = resumed()
    await reopened(rollbackTo(55n))
    await reopened(rollbackTo(55n))
    expect(opened).toEqual([[55n, ['added']]])
  })

  it('rejects with history-gap where the cursor does not name all', async () => {
    const { opened, reopened } = resumed()
    await expect(reopened(rollbackTo(49n))).rejects.toMatchObject({
      code: 'history-gap',
      from: { blueScore: 90n },
      to: { hash: 'block 49', blueScore: 49n },
      reason: 'unknown-history',
      resumeCursor: 'cursor of tip',
    })
    expect(opened).toEqual([])
  })

  it('opens those that the application looks up', async () => {
    const findOpenings = () => [{ address: 'forgotten', blueScore: 45n }]
    const { opened, reopened } = resumed({ findOpenings })
    await reopened(rollbackTo(40n))
    expect(opened).toEqual([[40n, ['added', 'forgotten']]])
  })

  it('opens at the fork point of a deeper reorg that followed meanwhile', async () => {
    const deeper: LocatedBatch = rollbackTo(52n, 'later')
    const opened: bigint[] = []
    const { reopened } = resumed({
      open: async (start) => {
        opened.push(start.blueScore)
        return { start: opened.length === 1 ? headerAt(52n) : start, transactions: [] }
      },
      readHeader: async (hash) => headerAt(BigInt(hash.slice('block '.length))),
      nextBatch: async () => deeper,
    })
    const { batch } = await reopened(rollbackTo(55n))
    expect(opened).toEqual([55n, 52n])
    expect(batch).toMatchObject({ locator: { tip: { hash: 'later' } }, rollback: { blueScore: 52n } })
  })
})
