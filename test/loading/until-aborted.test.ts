import { expect, it } from 'vitest'
import { untilAborted } from '../../src/loading/until-aborted.js'

it('rejects with the reason of a signal, also of one that is aborted already', async () => {
  const controller = new AbortController()
  const [before, reason] = [untilAborted(controller.signal), new Error('stop')]
  controller.abort(reason)
  await expect(before.promise).rejects.toBe(reason)
  await expect(untilAborted(controller.signal).promise).rejects.toBe(reason)
})
