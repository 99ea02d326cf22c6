import { describe, expect, it, vi } from 'vitest'
import { createAnswers } from '../../../src/rest/answers.js'
import { createClientOn } from '../../../src/rest/client.js'
import type { ChainRestOptions } from '../../../src/rest/options.js'
import { world } from '../recordings.js'
import { json, scriptFetch, silence, type Reply } from '../scripted-fetch.js'
import { turn } from '../../turn.js'

const { alice = '', bob = '' } = world.addresses

/** Two clients of one server that keep their answers in one place, as the components of an app do. */
function neighbours(options: ChainRestOptions, ...replies: Reply[]) {
  const { fetcher, sent } = scriptFetch(...replies)
  const all = { baseUrl: 'https://indexer.test', retries: 0, ...options, fetcher }
  const answers = createAnswers()
  return { one: createClientOn(answers, all), other: createClientOn(answers, all), answers, sent }
}

const balance = (sompi: number) => json({ address: alice, balance: sompi })

describe('clients that share their answers', () => {
  it('never take each other’s requests with effects for one', async () => {
    const { one, other, sent } = neighbours({}, json({ done: 1 }), json({ done: 2 }))
    const done = await Promise.all([one, other].map((rest) => rest.request('POST', '/effects', { body: {} })))
    expect([sent.length, done]).toEqual([2, [{ done: 1 }, { done: 2 }]])
  })

  it('never end each other’s submission', async () => {
    const { one, other, sent } = neighbours({}, silence)
    const leaving = new AbortController()
    const transaction = { version: 0, inputs: [], outputs: [] }
    const ended = expect(one.submitTransaction(transaction, { signal: leaving.signal })).rejects.toThrow()
    const ofOther = expect(other.submitTransaction(transaction)).rejects.toThrow(/aborted/)
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    leaving.abort()
    await ended
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, false])
    other.dispose()
    await ofOther
  })

  it('wait for one another: no more requests are under way than `concurrency` allows', async () => {
    const { one, other, answers, sent } = neighbours({ concurrency: 1 }, silence)
    const asked = [one.getAddressBalance(alice), other.getAddressBalance(bob), other.getAddressNames()]
    const ended = Promise.allSettled(asked)
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    await turn()
    expect(sent).toHaveLength(1)
    answers.dispose()
    await ended
  })
})

describe('what is cleared while a new answer is on its way', () => {
  it('is not given any more, neither the old answer nor the one on its way', async () => {
    const arrivals: ((found: Response) => void)[] = []
    const slow = () => new Promise<Response>((resolve) => arrivals.push(resolve))
    const { one: rest, sent } = neighbours({}, balance(1), slow, balance(3))
    await rest.getAddressBalance(alice)
    const refreshed = rest.getAddressBalance(alice, { forceRefresh: true })
    await vi.waitFor(() => expect(arrivals).toHaveLength(1))
    const sizes: number[] = []
    rest.cacheSize$.subscribe((size) => sizes.push(size))
    rest.clearCache('/addresses/')
    expect([rest.cacheSize, sizes]).toEqual([0, [1, 0]])
    const after = rest.getAddressBalance(alice)
    arrivals[0]?.(balance(2))
    expect([(await refreshed).balance, (await after).balance, sent.length]).toEqual([2, 3, 3])
  })
})
