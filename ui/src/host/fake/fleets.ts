/** Owns the invented fleets: what they are. How they fare over time is `load.ts`. */
import type { ComputeKind, FleetState } from '$host/bindings.gen';
import { uuid } from './random';

export type FakeLocation = { name: string; min: number; max: number; peak: number };
export type FakeFleet = {
  seed: number;
  id: string;
  arn: string;
  name: string;
  region: string;
  kind: ComputeKind;
  instanceType: string | null;
  build: string;
  buildId: string;
  realtime: boolean;
  perInstance: number;
  state: FleetState;
  locations: FakeLocation[];
  aliases: string[];
  queues: string[];
  /** Its demand passes its maximum shortly before the anchor. */
  capped: boolean;
};

const account = '111122223333';

type Spec = [
  name: string, region: string, kind: ComputeKind, type: string | null, build: string, locations: string,
  state?: FleetState, aliases?: string, queues?: string,
]; // prettier-ignore

// Locations are `name:max:peak`, peak being the share of max its busiest hour needs.
const specs: Spec[] = [
  ['arena-ranked-eu', 'eu-west-1', 'ec2OnDemand', 'c6i.xlarge', 'build 1.42.0', 'eu-west-1:24:1.2 eu-central-1:16:1.2', 'bad', 'arena-live', 'arena-eu'],
  ['arena-ranked-us', 'us-east-1', 'ec2OnDemand', 'c6i.xlarge', 'build 1.42.0', 'us-east-1:22:.78 us-west-2:18:.7 sa-east-1:8:.5', 'good', 'arena-live-us', 'arena-us'],
  ['arena-casual', 'eu-west-1', 'ec2OnDemand', 'c6i.large', 'build 1.41.3', 'eu-west-1:14:.6 eu-central-1:10:.55 ap-northeast-1:8:.4', 'good', 'casual-live', 'arena-eu'],
  ['arena-spot-eu', 'eu-west-1', 'ec2Spot', 'c6i.large', 'build 1.42.0', 'eu-west-1:20:.62 eu-central-1:20:.8', 'warning', '', 'arena-eu'],
  ['arena-spot-us', 'us-east-1', 'ec2Spot', 'c6i.large', 'build 1.42.0', 'us-east-1:16:.6 us-west-2:12:.66', 'good', '', 'arena-us'],
  ['coop-realtime', 'eu-west-1', 'ec2OnDemand', 'c5.large', 'script v41', 'eu-west-1:12:.74 us-east-1:10:.7 ap-northeast-1:6:.62', 'good', 'coop-live', 'coop'],
  ['coop-container', 'eu-central-1', 'container', 'c6i.2xlarge', 'coop-server 7', 'eu-central-1:9:.5 us-east-1:8:.44', 'good', 'coop-next', 'coop'],
  ['lobby-anywhere', 'us-east-1', 'anywhere', null, 'Anywhere', 'custom-frankfurt:6:.8 custom-ashburn:6:.6', 'good', '', ''],
  ['arena-canary', 'eu-west-1', 'ec2OnDemand', 'c6i.large', 'build 1.43.0-rc2', 'eu-west-1:2:.5', 'good', 'canary', ''],
  ['brawl-ranked', 'ap-northeast-1', 'ec2OnDemand', 'c6i.xlarge', 'build 0.9.12', 'ap-northeast-1:12:.7 us-west-2:8:.5', 'good', 'brawl-live', 'brawl'],
  ['brawl-casual', 'ap-northeast-1', 'ec2Spot', 'c6i.large', 'build 0.9.12', 'ap-northeast-1:10:.85 sa-east-1:4:.4', 'good', '', 'brawl'],
  ['brawl-next', 'ap-northeast-1', 'ec2OnDemand', 'c7i.large', 'build 0.10.0', 'ap-northeast-1:4:0', 'pending', '', ''],
]; // prettier-ignore

const words = (text: string | undefined) => (text ? text.split(' ') : []);

export const fleets: readonly FakeFleet[] = specs.map(
  ([name, region, kind, instanceType, build, locations, state = 'good', aliases, queues], index) => {
    const id = `${kind === 'container' ? 'containerfleet' : 'fleet'}-${uuid(11, index)}`;
    return {
      seed: index + 1,
      id,
      arn: `arn:aws:gamelift:${region}:${account}:${kind === 'container' ? 'containerfleet' : 'fleet'}/${id}`,
      name,
      region,
      kind,
      instanceType,
      build,
      buildId: `${build.startsWith('script') ? 'script' : 'build'}-${uuid(13, index)}`,
      realtime: build.startsWith('script'),
      perInstance: instanceType?.endsWith('2xlarge') ? 16 : instanceType?.endsWith('xlarge') ? 10 : 6,
      state,
      locations: locations.split(' ').map((text) => {
        const [location = '', max = '1', peak = '0'] = text.split(':');
        return { name: location, min: Number(max) > 4 ? 2 : 1, max: Number(max), peak: Number(peak) };
      }),
      aliases: words(aliases),
      queues: words(queues),
      capped: name === 'arena-ranked-eu',
    };
  },
);

export const fleetById = (id: string): FakeFleet | undefined => fleets.find((fleet) => fleet.id === id);
