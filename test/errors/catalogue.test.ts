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

it('is not needed to learn what failed: pages and templates print the message, and dig into no cause', () => {
  const args = ['ls-files', 'README.md', 'docs', 'examples', 'create/templates']
  const paths = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  const code = paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const)
  const found = code.filter(([, text]) =>
    /\b\w*error\??\.cause\b|\.hint \?\?/i.test(text.replaceAll("error.hint ?? ''", '')),
  )
  expect(found.map(([path]) => path)).toEqual([])
})

it('is the page that errors link to, at the section of their code', () => {
  const { pathname, hash } = new URL(new ChainRpcError('getSink', undefined, { code: 'timeout' }).docsUrl)
  expect(readFileSync(join(ROOT, pathname.replace('/vue-chain/', '')), 'utf8')).toBe(PAGE)
  expect(headings).toContain(hash.slice(1))
})
