// Invented articles, those of examples/articles.
export const ARTICLES = [
  {
    "title": "Lightning sets Aldermere clock tower on fire",
    "text": "Lightning struck the old clock tower of Aldermere on Monday evening and set its roof on fire. Nobody was hurt, the fire brigade said, because the town hall below the tower had closed an hour earlier.\n\nAbout forty firefighters from Aldermere and three neighboring villages fought the flames for almost five hours. The roof of the tower, which was built in 1872, collapsed shortly before midnight, but the walls are still standing.\n\nThe hands of the clock stopped at 7:42, the minute the lightning struck. “We heard a bang like a cannon, and then we saw the smoke,” said Hannah Reyes, who runs the bakery across the square.\n\nVolunteers formed a chain and carried the town archive, some 900 boxes of letters and maps, out of the ground floor before water could reach it. Mayor Tom Ellery thanked them in the rain. The market square will stay closed until engineers have checked the walls."
  },
  {
    "title": "Clock tower walls are safe, say engineers",
    "text": "Engineers said on Wednesday that the walls of the burnt clock tower in Aldermere are safe, and that the tower can be repaired. Its roof collapsed on Monday night after lightning set it on fire.\n\n“The stone has held remarkably well,” said Priya Nair, the engineer who led the inspection. The oak beams under the bells, however, will have to be replaced, and two of the five bells have cracked.\n\nRepairs will cost about 640,000 pounds, according to a first estimate by the town council. The insurance will pay roughly half of that, Mayor Tom Ellery told reporters.\n\nThe market square, which had been closed since the fire, opened again on Wednesday afternoon. Stalls will be back on Saturday. The town archive, saved by volunteers on the night of the fire, is now kept in the gymnasium of the primary school."
  },
  {
    "title": "Town starts collection for burnt tower",
    "text": "The town of Aldermere has started a collection to repair its clock tower, which lost its roof in a fire on Monday. More than 85,000 pounds were given in the first two days, the town council said.\n\nThe council needs about 320,000 pounds, because the insurance will pay only half of the cost. Children of the primary school sold cakes on the market square on Saturday and raised 1,140 pounds.\n\nA retired clockmaker, Edwin Moss, has offered to repair the clock for nothing. Moss, who is 81, looked after the clock for thirty years. “It has never been late by more than a minute,” he said.\n\nThe fire broke out when lightning struck the tower during a storm. Nobody was hurt. The cracked bells will be taken down next week and sent to a foundry in the north."
  },
  {
    "title": "Lightning rod was missing, inquiry finds",
    "text": "The clock tower of Aldermere had no working lightning rod when it was struck on March 2, an inquiry has found. The rod was taken down during repairs in 2019 and never put back, according to a report that the town council published on Thursday.\n\nLightning set the roof of the tower on fire, and it collapsed after five hours. Nobody was hurt. The tower was built in 1872 and is the oldest building on the market square.\n\nMayor Tom Ellery apologized for the mistake. “It should have been noticed, and it was not,” he said. The council will check all public buildings by the end of May.\n\nThe insurance company said that it would still pay half of the repairs, which are expected to cost 640,000 pounds. The collection for the tower has reached 210,000 pounds."
  },
  {
    "title": "Aldermere clock tower to reopen in spring",
    "text": "Work on a new roof for the clock tower of Aldermere will begin in May, the town council decided on Friday. The tower, whose roof was destroyed by lightning and fire in March, is to reopen next spring.\n\nThe collection for the repairs has reached its goal of 320,000 pounds, Mayor Tom Ellery announced. Almost 6,000 people have given money, many of them from abroad. The insurance will pay the other half.\n\nThe new roof will be made of oak and slate like the old one, and it will have two lightning rods. Two bells that cracked in the fire are being cast anew in a foundry in the north.\n\nUntil the clock is repaired, its hands will point to 7:42, the minute the lightning struck. Edwin Moss, the clockmaker, has taken the works home. “I have the time,” said Moss, who is 81."
  }
];
