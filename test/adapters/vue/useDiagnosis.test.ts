// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { useDiagnosis } from '../../../src/adapters/vue/composables/useDiagnosis.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { withApp } from './with-app.js'

it('runs a diagnosis, and aborts it for a newer one', async () => {
  const fetcher = () => Promise.reject(new TypeError('There is no indexer'))
  const { result, unmount } = withApp(createScriptedNode(), useDiagnosis, { rest: { fetcher } })
  onTestFinished(unmount)
  const { report, isRunning, run } = result
  expect([report.value, isRunning.value]).toEqual([null, false])
  const first = run()
  const second = run({ timeout: 300 })
  expect(isRunning.value).toBe(true)
  await expect(first).rejects.toMatchObject({ code: 'aborted' })
  expect(isRunning.value).toBe(true)
  expect(await second).toBe(report.value)
  expect(isRunning.value).toBe(false)
  expect(report.value?.checks.map(({ id }) => id)).toContain('indexer')
  await expect(run({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
})
