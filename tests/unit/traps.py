"""Pairs that a matcher of answers gets wrong easily, each with the rule of token recall that it is for.

Half of them must match, half must not: a rule that says no to everything, or yes, fails as many as it passes.
"""

from typing import NamedTuple


class Trap(NamedTuple):
    """A reference, an answer, and what a person says about it."""

    rule: str
    reference: str
    prediction: str
    right: bool


_PAIRS: dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]] = {
    # Rule: (pairs that match, pairs that do not), each a reference and a prediction.
    "numbers are found by their value": (
        [
            ("1,000 km", "It is 1000 km long."),
            ("6", "There were six of them."),
            ("six", "They won 6 titles."),
            ("2.5 million", "About 2,500,000 people live there."),
            ("twenty-five", "It has 25 episodes."),
            ("3.50", "The value is 3.5."),
            ("one hundred and one", "101 dalmatians appear."),
            ("½", "It is 0.5 of the total."),
            ("1984", "the novel Nineteen Eighty-Four"),
            ("minus forty", "At -40 both scales agree."),
        ],
        [
            ("1998", "It was released in 1999."),
            ("26 episodes", "It has 24 episodes."),
            ("3.5", "It is 35."),
            ("1/2", "The answer is 12."),
            ("2.5 million", "About 2.5 billion people live there."),
            ("7", "They won 17 titles."),
            ("1000", "Roughly 1,0000 of them."),
            ("5", "It is 0.5 of the total."),
        ],
    ),
    "fractions and dozens are numbers": (
        [
            ("12", "They had a dozen."),
            ("24", "two dozen"),
            ("1/2", "one half"),
            ("0.5", "half of it"),
            ("2/3", "two-thirds of the vote"),
            ("three quarters", "3/4"),
            ("2.5", "two and a half"),
            ("10.5", "10 1/2"),
            ("1.5 million", "one and a half million"),
            ("1,000", "a thousand"),
        ],
        [
            ("1/3", "two thirds"),
            ("three quarters", "one quarter"),
            ("2", "two and a half"),
            ("12", "two dozen"),
            ("0.5", "the first half of it"),
            ("1/2", "a half-brother"),
        ],
    ),
    "the sign belongs to the number": (
        [("-5", "It was -5 degrees."), ("−5", "The answer is minus 5."), ("10-15", "It takes 10–15 minutes.")],
        [("-5", "It was 5 degrees."), ("5", "The temperature is -5."), ("5 degrees", "It fell to minus 5 degrees.")],
    ),
    "a number keeps its unit": (
        [
            ("5 km", "The distance is 5 kilometers."),
            ("50%", "It is 50 percent."),
            ("$29", "It costs 29 dollars."),
            ("5 kg", "It weighs 5 kilograms."),
            ("3 hours", "The film runs for three hours."),
            ("10 million dollars", "It cost $10 million."),
            ("5,000 meters", "5 km"),
            ("1 hour", "60 minutes"),
            ("30 minutes", "half an hour"),
            ("10 years", "a decade"),
            ("100 km/h", "100 kph"),
            ("20 °C", "20 degrees Celsius"),
        ],
        [
            ("5 km", "The distance is 5 miles."),
            ("12 km", "It is 12 m long."),
            ("50%", "It is 50 degrees."),
            ("$29", "It costs €29."),
            ("5 kg", "It weighs 5 pounds."),
            ("3 hours", "The film runs for 3 minutes."),
            ("10 million dollars", "It cost 10 million euros."),
            ("100 km/h", "100 mph"),
            ("20 °C", "20 °F"),
            ("10 kg", "10 g"),
            ("$5", "5 cents"),
            ("1 hour", "6 minutes"),
        ],
    ),
    "ordinals are not cardinals": (
        [
            ("the first", "He came in 1st."),
            ("21st", "It is the twenty-first."),
            ("second season", "That happens in season 2."),
            ("season 5", "That is in the fifth season."),
            ("first floor", "It is on the 1st floor."),
        ],
        [
            ("first", "He came second."),
            ("the second", "It was the first of them."),
            ("third season", "It happens in the second season."),
            ("first", "one of them"),
            ("season 5", "There are 5 seasons of it."),
            ("second season", "It happens in season 3."),
        ],
    ),
    "centuries and decades": (
        [
            ("19th century", "It was built in the nineteenth century."),
            ("the 1990s", "It was popular in the nineties."),
            ("1990s", "This was in the 1990's."),
            ("the 5th century BC", "It dates to the fifth century BC."),
        ],
        [
            ("19th century", "It was built in the 18th century."),
            ("1990s", "It was released in 1990."),
            ("1990", "It was popular in the 1990s."),
            ("the 1990s", "It was popular in the 1980s."),
            ("19th century", "It took 19 years."),
            ("5th century BC", "It dates to the 5th century AD."),
        ],
    ),
    "a date is right if it is the same, or coarser and says nothing else": (
        [
            ("September 6, 2019", "It came out on 6 September 2019."),
            ("September 6, 2019", "September 2019"),
            ("September 6, 2019", "It was released in 2019."),
            ("September 6, 2019", "2019-09-06"),
            ("December 8, 1990", "12/08/1990"),
            ("8 December 1990", "08/12/1990"),
            ("1990", "12/08/1990"),
            ("6th of September 2019", "Sept. 6, 2019"),
            ("2019", "It came out on September 6, 2019."),
            ("September 2019", "It came out on September 6, 2019."),
            ("December 25", "It is on December 25th."),
            ("1632–53", "It was built from 1632 to 1653."),
        ],
        [
            ("September 6, 2019", "May 2019"),
            ("December 9, 1990", "12/08/1990"),
            ("December 8, 1990", "13/08/1990"),
            ("September 6, 2019", "2018"),
            ("September 6, 2019", "September 6, 2018"),
            ("September 6, 2019", "September 7, 2019"),
            ("September 6, 2019", "It came out on June 6, 2019."),
            ("September 2019", "It came out in October 2019."),
            ("December 25", "It is on December 24."),
            ("December 25", "It is on November 25."),
            ("1914–1918", "It lasted from 1939 to 1945."),
            ("1914–1918", "It began in 1914."),
        ],
    ),
    "Roman numerals are numbers": (
        [
            ("World War II", "It was invented during World War 2."),
            ("World War II", "It began in the Second World War."),
            ("Elizabeth II", "Queen Elizabeth the Second"),
            ("World War I", "It ended World War I."),
            ("Louis XIV", "King Louis XIV of France"),
        ],
        [
            ("World War II", "It was invented during World War I."),
            ("World War I", "It was invented during World War II."),
            ("World War I", "I think it was the Cold War."),
            ("Elizabeth II", "Queen Elizabeth I"),
            ("Louis XIV", "King Louis XVI of France"),
            ("Rocky II", "Rocky III"),
        ],
    ),
    "a name is not another name": (
        [
            ("Barack Obama", "Obama"),
            ("Barack Obama", "President Obama was elected."),
            ("Wilhelm Conrad Röntgen", "Wilhelm Roentgen"),
            ("James W. Marshall", "James Wilson Marshall"),
            ("James Wilson Marshall", "James W. Marshall found it."),
            ("J. R. R. Tolkien", "It was written by John Ronald Reuel Tolkien."),
            ("University of Chicago", "He taught at the University of Chicago."),
            ("Benjamin Willis", "Ben Willis is the killer."),
            ("George Orwell", "It is George Orwell's novel."),
            ("Michelle Obama", "First Lady Michelle Obama"),
            ("West Virginia", "It lies in West Virginia."),
            ("New York", "It is in New York City."),
            ("Henry VIII", "King Henry the Eighth"),
        ],
        [
            ("Barack Obama", "Michelle Obama"),
            ("George W. Bush", "George H. Walker"),
            ("University of Chicago", "University of Michigan"),
            ("Lake Superior", "It flows into Lake Michigan."),
            ("Harrison Ford", "Gerald Ford"),
            ("Paris, Texas", "Paris, France"),
            ("Samuel Johnson", "Lyndon Johnson"),
            ("New Zealand", "New York"),
            ("Charles County", "It lies in Calvert County."),
            ("Robert Downey", "Roberta Downey"),
            ("West Virginia", "It lies in Virginia."),
            ("Virginia", "It lies in West Virginia."),
            ("York", "New York"),
            ("Ireland", "Northern Ireland"),
            ("Henry VIII", "Henry VII"),
        ],
    ),
    "similar words are not one word": (
        [
            ("color", "The colour of it."),
            ("photographs", "It is a photograph."),
            ("Shakespeare", "It was Shakespear."),
            ("Canadian", "He is from Canada."),
            ("mitochondrion", "The mitochondria do it."),
            ("aluminium", "It is made of aluminum."),
            ("spiderman", "It is Spider-Man."),
        ],
        [
            ("Austria", "It is in Australia."),
            ("Iran", "It is in Iraq."),
            ("Niger", "It is in Nigeria."),
            ("proton", "It is a photon."),
            ("hypertension", "It is called hypotension."),
            ("Slovakia", "It is in Slovenia."),
            ("Gambia", "It is in Zambia."),
            ("Paris", "Parisian café"),
        ],
    ),
    "opposites contradict": (
        [
            ("North Korea", "The capital of North Korea"),
            ("the left hand", "It is worn on the left hand."),
            ("before the war", "It happened before the war."),
            ("northwest corner", "in the northwest corner of it"),
            ("an increase in demand", "Demand increases."),
        ],
        [
            ("North Korea", "South Korea"),
            ("South Korea", "North Korea"),
            ("East Germany", "West Germany"),
            ("the left hand", "It is worn on the right hand."),
            ("before the war", "It happened after the war."),
            ("northwest corner", "in the northeast corner of it"),
            ("an increase in demand", "It is a decrease in demand."),
            ("northern hemisphere", "It is visible in the southern hemisphere."),
            ("direct rule", "indirect rule"),
            ("a male lead", "a female lead"),
        ],
    ),
    "what is denied is not said": (
        [
            ("Lyon", "It is not Paris but Lyon."),
            ("Canberra", "The capital is not Sydney, it is Canberra."),
            ("Paris", "It is not only in Paris."),
            ("not guilty", "He was found not guilty."),
            ("London", "Some believe it is Paris, but it is actually London."),
            ("Joseph Swan", "While Thomas Edison is often credited, the actual inventor was Joseph Swan."),
            ("Annie Morton", "Annie Morton is older than Terry Richardson."),
            ("Jupiter", "No planet is larger than Jupiter."),
            ("no cure", "There is no cure."),
            ("1920", "Women did not vote until 1920."),
        ],
        [
            ("Paris", "not Paris"),
            ("Paris", "It is not Paris but Lyon."),
            ("Sydney", "The capital isn't Sydney."),
            ("New York", "It was not New York."),
            ("1920", "It did not happen in 1920."),
            ("guilty", "He was found not guilty."),
            ("not allowed", "It is allowed."),
            ("Sydney", "Contrary to popular belief, Sydney is not the capital; Canberra is."),
            ("Steve Jobs", "The head of it is no longer Steve Jobs."),
            ("Paris", "Some believe it is Paris, but it is actually London."),
            ("Thomas Edison", "While Thomas Edison is often credited, the actual inventor was Joseph Swan."),
            ("Terry Richardson", "Annie Morton is older than Terry Richardson."),
            ("a cure exists", "There is no cure."),
        ],
    ),
    "alternatives are no answer": (
        [
            ("Paris", "It is Paris."),
            ("Paris or London", "Either Paris or London."),
            ("Istanbul", "Istanbul, or Constantinople"),
            ("Hellenism", "It is called Hellenism or Hellenic polytheism."),
            ("5%", "It is 0.05 or 5%."),
        ],
        [
            ("Paris", "Paris or London"),
            ("London", "It could be Paris or London."),
            ("1912", "1911 or 1912"),
            ("Paris", "Either Paris or London."),
            ("London", "It is either Paris or London."),
            ("1912", "It sank in either 1911 or 1912."),
        ],
    ),
    "a person has no other initials": (
        [
            ("George W. Bush", "It was George Bush."),
            ("James W. Marshall", "James Wilson Marshall found it."),
            ("J. K. Rowling", "Joanne K. Rowling wrote it."),
            ("George H. W. Bush", "President George H.W. Bush"),
        ],
        [
            ("George W. Bush", "It was George H. W. Bush."),
            ("George H. W. Bush", "It was George W. Bush."),
            ("Samuel L. Jackson", "Samuel R. Jackson"),
        ],
    ),
    "opposing prefixes and suffixes contradict": (
        [
            ("carbon dioxide", "It emits carbon dioxide."),
            ("interstate commerce", "commerce that is interstate"),
            ("12 noon", "It begins at 12 noon."),
        ],
        [
            ("carbon dioxide", "It emits carbon monoxide."),
            ("interstate commerce", "It regulates intrastate commerce."),
            ("deductive reasoning", "It is inductive reasoning."),
            ("sodium sulfate", "sodium sulfite"),
            ("12 noon", "It begins at 12 midnight."),
        ],
    ),
    "of a list, every item is wanted": (
        [
            ("Norris and Ross McWhirter", "It was founded by Norris McWhirter and his twin Ross."),
            ("red, white and blue", "Its colors are blue, white, and red."),
            ("England and Wales", "It is held in Wales and England."),
        ],
        [
            ("Benj Pasek and Justin Paul", "Justin Paul wrote it."),
            ("England and Wales", "It was held in Wales."),
            ("red, white and blue", "Its colors are white and blue."),
        ],
    ),
    "a word of the reference is needed": (
        [
            ("the Seine", "Paris lies on the River Seine."),
            ("the drama series Gunsmoke", "Gunsmoke"),
            ("a historic bridge", "The bridge is historic."),
            ("National Football League", "The NFL"),
            ("USA", "It was the United States of America."),
            ("vitamin C", "It has Vitamin C."),
        ],
        [
            ("the Seine", "The River Thames."),
            ("the", "It is nothing."),
            ("a bow bridge", "an answer that has a word"),
            ("National Football League", "The NBA"),
            ("U.S.", "He told us so."),
            ("vitamin A", "It is vitamin C."),
            ("hepatitis B", "It is hepatitis A."),
            ("", "Paris"),
            ("Paris", ""),
        ],
    ),
}  # fmt: skip

TRAPS = [
    Trap(rule, reference, prediction, right)
    for rule, (matching, others) in _PAIRS.items()
    for pairs, right in ((matching, True), (others, False))
    for reference, prediction in pairs
]
