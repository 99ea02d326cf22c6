import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import { literalsOf } from './unions.js'

const ROOT = resolve(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')

const headings = [...PAGE.matchAll(/^### `([\w-]+)`$/gm)].map(([, code = '']) => code)

it('describes every code, in alphabetical order, and no other', () => {
  const codes = literalsOf(/ErrorCode$/)
  expect(codes.length).toBeGreaterThan(40)
  expect(headings).toEqual(codes)
})

it('describes every reason of a rejected transaction', () => {
  const [, table = ''] = PAGE.split('## Reasons of a rejected transaction')
  expect([...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, reason = '']) => reason).sort()).toEqual(
    literalsOf(/^RejectReason$/),
  )
})

/** Lines of code: a program, or the code blocks of a page. */
const codeOf = (path: string, text: string): readonly string[] =>
  path.endsWith('.md')
    ? [...text.matchAll(/^```\w.*\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.split('\n'))
    : text.split('\n')

/** Lines that dig into a cause, or print a hint without the message on the same line or the one before. */
const unexplainedLines = (lines: readonly string[]): readonly string[] =>
  lines.filter((line, at) => {
    const isHintAlone = /\.hint\b/.test(line) && !/\.message\b/.test(`${lines[at - 1] ?? ''}${line}`)
    return /\b\w*error\??\.cause\b/i.test(line) || isHintAlone
  })

it('is not needed to learn what failed: pages and templates print the message, and dig into no cause', () => {
  const args = ['ls-files', 'README.md', 'docs', 'examples', 'create/templates']
  const paths = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  const lines = paths.flatMap((path) =>
    unexplainedLines(codeOf(path, readFileSync(join(ROOT, path), 'utf8'))).map((line) => `${path}: ${line.trim()}`),
  )
  expect(lines).toEqual([])
})

it.each([
  '{{ error.hint }}',
  'console.log(status, error?.hint)',
  "show(error.hint ?? '')",
  'show(failure.value?.hint)',
  'throw error.cause',
])('needs the message in a page with %s', (line) => {
  expect(unexplainedLines(['<p>', line])).toEqual([line])
  expect(unexplainedLines(['<p>', `{{ error.message }} ${line}`])).toEqual(
    line.includes('cause') ? [expect.anything()] : [],
  )
})

it('is the page that errors link to, at the section of their code', () => {
  const { pathname, hash } = new URL(new ChainRpcError('getSink', undefined, { code: 'timeout' }).docsUrl)
  expect(readFileSync(join(ROOT, pathname.replace('/vue-chain/', '')), 'utf8')).toBe(PAGE)
  expect(headings).toContain(hash.slice(1))
})
