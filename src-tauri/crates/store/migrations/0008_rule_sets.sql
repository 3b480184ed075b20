-- Rule sets are documents of `resource` too: kind 'matchmaking_rule_set', id the name, owner_key 0, document MatchmakingRuleSet.
-- No table changes. The version does, so that a program that does not know the kind refuses the file instead of failing
-- on its first row of it.
SELECT 1;
