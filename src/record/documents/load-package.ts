import { MemoryError } from '../../domain/errors.ts'

/** Readers of some formats come with a package, which is loaded with the first file that needs it. */
export async function loadPackage<Module>(load: () => Promise<Module>, name: string): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    throw new MemoryError('missing-dependency', `this format is read with the package "${name}"`, {
      hint: `npm install ${name}; where a bundler is used, leave that package out of the bundle`,
      cause,
    })
  }
}
