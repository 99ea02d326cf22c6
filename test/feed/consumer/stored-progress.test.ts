import type { JetStreamManager } from '@nats-io/jetstream'
import { expect, it } from 'vitest'
import { openProgress, type Progress } from '../../../src/feed/consumer/stored-progress.js'

/** A bucket with one key, which takes a value where the last one has the expected sequence. */
function createBucket() {
  let last: { readonly seq: number; readonly body: string } | undefined
  const publish = (
    _: string,
    body: string,
    { expect }: { readonly expect: { readonly lastSubjectSequence: number } },
  ) => {
    const seq = last?.seq ?? 0
    if (expect.lastSubjectSequence !== seq)
      return Promise.reject(Object.assign(new Error('wrong last sequence'), { code: 10_071 }))
    last = { seq: seq + 1, body }
    return Promise.resolve({ seq: seq + 1 })
  }
  const manager = {
    streams: {
      info: () => Promise.resolve({}),
      getMessage: () => Promise.resolve(last && { seq: last.seq, json: () => JSON.parse(last?.body ?? '') as unknown }),
    },
    jetstream: () => ({ publish }),
  } as unknown as JetStreamManager
  return { manager, stored: () => (last === undefined ? undefined : (JSON.parse(last.body) as Progress)) }
}

const progressOf = (batch: number): Progress => ({ batch, position: `position ${batch}` })

it('stores acknowledgements that do not wait for each other, and never goes back', async () => {
  const { manager, stored } = createBucket()
  const { save } = await openProgress(manager, 'testnet-10', 'shop')
  await Promise.all([1, 2, 4, 3].map((batch) => save(progressOf(batch))))
  expect(stored()).toEqual(progressOf(4))
})

it('rejects where another consumer of the name was faster', async () => {
  const { manager } = createBucket()
  const [one, other] = [
    await openProgress(manager, 'testnet-10', 'shop'),
    await openProgress(manager, 'testnet-10', 'shop'),
  ]
  await one.save(progressOf(1))
  await expect(other.save(progressOf(2))).rejects.toMatchObject({ code: 'taken-over' })
})
