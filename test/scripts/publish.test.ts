import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { publish } from '../../scripts/release/publish.mjs'

/** A repository with one commit, and a registry with the named versions, as `npm` shows it. */
function openRepository(published: readonly string[] = []) {
  const root = mkdtempSync(join(tmpdir(), 'vue-chain-publish-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  git('init', '-q')
  git('-c', 'user.name=a', '-c', 'user.email=a@example', 'commit', '-q', '--allow-empty', '-m', 'a')
  const versions = new Set(published)
  const calls: string[] = []
  function npm([command, subject = '']: readonly string[]): string {
    if (command === 'publish') {
      calls.push(subject)
      versions.add(subject)
      return ''
    }
    if (!versions.has(subject)) throw new Error('E404')
    return `${subject.split('@')[1]}\n`
  }
  const run = (tag: 'canary' | 'latest', version: string): string => {
    const lines: string[] = []
    const packed = ['vue-chain', 'create-vue-chain'].map((name) => ({ name, version, tarball: `${name}@${version}` }))
    publish({ packed, tag, root, npm, print: (line) => lines.push(line) })
    return lines.join('\n')
  }
  return { run, calls, tags: () => git('tag', '--list') }
}

/**
 * What `changesets/action` takes as a release of a repository with one package: it then pushes the tag of that version.
 */
const isRelease = (output: string): boolean => output.split('\n').some((line) => line.includes('New tag:'))

it('tags a release, and prints it as changesets/action reads it', () => {
  const { run, calls, tags } = openRepository()
  const output = run('latest', '0.1.0')
  expect(calls).toEqual(['vue-chain@0.1.0', 'create-vue-chain@0.1.0'])
  expect(isRelease(output)).toBe(true)
  expect(tags()).toBe('v0.1.0')
})

it('is no release again where both are published and tagged', () => {
  const { run, calls } = openRepository()
  run('latest', '0.1.0')
  const output = run('latest', '0.1.0')
  expect(calls).toHaveLength(2)
  expect(isRelease(output)).toBe(false)
})

it('completes a release that ended between the two packages, or before the tag', () => {
  for (const published of [['vue-chain@0.1.0'], ['vue-chain@0.1.0', 'create-vue-chain@0.1.0']]) {
    const { run, calls, tags } = openRepository(published)
    expect(isRelease(run('latest', '0.1.0'))).toBe(true)
    expect([...published, ...calls]).toEqual(['vue-chain@0.1.0', 'create-vue-chain@0.1.0'])
    expect(tags()).toBe('v0.1.0')
  }
})

it('tags no canary', () => {
  const { run, calls, tags } = openRepository()
  expect(isRelease(run('canary', '0.1.0-canary.1'))).toBe(false)
  expect(calls).toHaveLength(2)
  expect(tags()).toBe('')
})
