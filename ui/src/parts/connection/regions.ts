/** Owns the home Regions of GameLift Servers: where fleets can be created. Remote locations are read through these. */
export const homeRegions = [
  'us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'sa-east-1', 'eu-central-1', 'eu-west-1',
  'eu-west-2', 'ap-south-1', 'ap-northeast-1', 'ap-northeast-2', 'ap-southeast-1', 'ap-southeast-2',
] as const; // prettier-ignore
