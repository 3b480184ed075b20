/**
 * Owns the calls that queries are made with: the host's own, which also note the subjects their answers
 * depend on. No screen has to list them.
 */
import { subjects, type Calls, type CommandName, type Subject } from '$host/bindings.gen';
import { wire } from './wire';

const commands = Object.keys(subjects) as CommandName[];
const methodOf = (command: CommandName) =>
  command.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as keyof Calls;

/** Every call adds the subjects of its command to `noted` before it is sent. Nothing is ever removed. */
export function notingCalls(noted: Set<Subject>): Calls {
  const noting = (command: CommandName) => {
    const method = methodOf(command);
    return (...given: unknown[]) => {
      for (const subject of subjects[command]) noted.add(subject);
      return (wire()[method] as (...given: unknown[]) => unknown)(...given);
    };
  };
  return Object.fromEntries(commands.map((command) => [methodOf(command), noting(command)])) as Calls;
}
