import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Runs the files with the default environment before those that name one: a worker restarts, and loads all modules
 * again, wherever the environment changes. First come those that collect garbage: it takes 0.6 s in the heap of a
 * worker that has run most files, and 0.05 s in a new one.
 */
export class ByEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).map((file) => ({ file, code: readFileSync(file.moduleId, 'utf8') }))
    const place = (code: string): number =>
      code.includes('@vitest-environment') ? 2 : code.includes('/collect-garbage.js') ? 0 : 1
    return sorted.sort((a, b) => place(a.code) - place(b.code)).map(({ file }) => file)
  }
}
