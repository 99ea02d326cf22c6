import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Runs the files with the default environment before those that name one: a worker restarts, and loads all modules
 * again, wherever the environment changes.
 */
export class ByEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const named = new Set(sorted.filter(namesEnvironment))
    return [...sorted.filter((file) => !named.has(file)), ...named]
  }
}

const namesEnvironment = ({ moduleId }: TestSpecification): boolean =>
  readFileSync(moduleId, 'utf8').includes('@vitest-environment')
